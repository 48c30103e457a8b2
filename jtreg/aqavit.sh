#!/bin/sh
# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
#
# The kit as a suite of AQAvit:
#
#   aqavit.sh compile FOLDER JDK                 what build.xml runs
#   aqavit.sh run TARGET JDK [OPTION]... -- [JVM OPTION]...    what playlist.xml runs
#
# `compile` lays the kit into FOLDER/kit and fetches what tests of that JDK need. It always ends with
# 0: otherwise TKG would compile no other suite either; `run` then fails, and says why.
# `run` ends as `scripts/matrix run OPTION...` does, or with 77 if it told TKG to count the target as
# skipped, as no test of it can run on this machine: TKG has no exit code for that.

# Others' folders and repository, for `cd` and git.
unset CDPATH GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
here=$(cd "$(dirname "$0")" && pwd -P)
nothing_ran=3 skipped=77

# Set `python` to one that can run the kit, or `lack` to what there is instead.
find_python() {
	for python in python3 python3.14 python3.13 python3.12 python3.11; do
		if "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
			return 0
		fi
	done
	lack=$(python3 --version 2>/dev/null) || lack=none
	return 1
}

# get.sh leaves the repository without its files beside the folder that it copied; a link to a
# checkout has its own around it.
stage() {
	rm -rf "$1/kit" && mkdir -p "$1/kit" || return 1
	own=$(git hash-object "$here/playlist.xml") || return 1
	for repository in "$here/.." "$here"/../vendor_*; do
		blob=$(git -C "$repository" rev-parse -q --verify HEAD:jtreg/playlist.xml 2>/dev/null)
		if [ "$blob" = "$own" ]; then
			# No tests of the kit: Jenkins takes each *.tap file for one of TKG's.
			git -C "$repository" archive HEAD jdks.yaml jdks.lock jtreg scripts test \
				| tar -x -f - -C "$1/kit" && rm -rf "$1/kit/scripts/tests"
			return
		fi
	done
	echo "no git repository of the kit: neither $here/.. nor $here/../vendor_*"
	return 1
}

compile() {
	if ! stage "$1"; then
		echo "the kit was not laid into $1/kit; its targets will fail"
	elif ! find_python; then
		echo "the kit needs Python 3.11, here is $lack; its targets will be skipped"
	elif ! JAVA_HOME=$2 "$python" "$1/kit/scripts/matrix" jdks fetch --tools; then
		echo "not all that the tests need could be fetched; targets that need it will fail or skip tests"
	fi
}

# As TKG's own line for a capability that a machine lacks; resultsSum.pl reads it.
skip() {
	echo "Skipped due to capabilities ($1) => ${target}_SKIPPED"
	return $skipped
}

run() {
	target=$1 jdk=$2
	shift 2
	if ! find_python; then
		skip "Python 3.11, here is $lack"
		return
	fi
	if ! [ -f "$here/kit/scripts/matrix" ]; then
		echo "the compile step left no kit in $here; it said:"
		tail -n 3 "$here/compile.log"
		return 2
	fi
	form=
	for word do
		shift
		case $form$word in
		--) form=--java-option= ;;
		*) set -- "$@" "$form$word" ;;
		esac
	done
	JDKMATRIX_AQAVIT=$PWD "$python" "$here/kit/scripts/matrix" run --offline --jdk "$jdk" --out "$PWD/run" "$@"
	code=$?
	case $code in
	2) echo "what the compile step said: $here/compile.log" ;;
	$nothing_ran) skip "what each of its tests needs, as the lines above say" || return ;;
	esac
	return $code
}

case $1 in
compile)
	mkdir -p "$2" && compile "$2" "$3" 2>&1 | tee "$2/compile.log"
	exit 0
	;;
run)
	shift
	run "$@"
	;;
esac

// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: GPL-2.0-only

// Runs a Jenkinsfile with each step replaced: it prints the steps, and fails for one outside of a
// node. Arguments: the file, then, by the beginning of a shell line, the exit code that it has.
class Steps extends Script {
    static final GROUPS = ['stages', 'axes', 'axis', 'steps', 'post',
        'always', 'name', 'values', 'label']
    static final IN_NODE = ['sh', 'checkout', 'stash', 'unstash', 'junit', 'archiveArtifacts']
    static depth = 0
    static failed = false
    static codes = [:]

    def run() { null }

    def propertyMissing(String name) {
        if (!(name in ['scm', 'none', 'SHARD'])) {
            throw new IllegalStateException("no such variable: $name")
        }
        name
    }

    def methodMissing(String name, Object given) {
        def arguments = given as List
        def body = arguments && arguments[-1] instanceof Closure ? arguments[-1] : null
        if (name == 'agent') {  // of the rest of its stage
            depth += body ? 1 : 0
            return null
        }
        if (name in ['node', 'stage', 'matrix', 'pipeline'] && body) {
            def outside = depth
            depth += name == 'node' ? 1 : 0
            try { return perform(body) } finally { depth = outside }
        }
        if (name == 'parallel') {
            return arguments[0].each { key, branch -> perform(branch) }
        }
        if (name == 'error') {
            throw new IllegalStateException(arguments[0].toString())
        }
        if (name == 'steps' && body) {  // of a declarative stage; its post runs though they fail
            try { return perform(body) } catch (IllegalStateException error) { failed = error; return null }
        }
        if (name in GROUPS) {
            return body ? perform(body) : null
        }
        if (!(name in IN_NODE)) {
            throw new IllegalStateException("no such step: $name")
        }
        if (depth == 0) {
            throw new IllegalStateException("outside of a node: $name ${arguments[0]}")
        }
        def text = arguments[0] instanceof Map ? (arguments[0].script ?: arguments[0]) : arguments[0]
        System.out.println "$name ${text.toString().trim().replaceAll(/\s+/, ' ')}"
        def code = codes.find { start, _ -> name == 'sh' && text.toString().contains(start) }?.value ?: 0
        if (arguments[0] instanceof Map && arguments[0].returnStatus) {
            return code
        }
        if (code) {
            throw new IllegalStateException("exit code $code")
        }
        null
    }

    def perform(Closure body) {
        body.delegate = this
        body.resolveStrategy = Closure.DELEGATE_FIRST
        body.call()
    }
}

def configuration = new org.codehaus.groovy.control.CompilerConfiguration(scriptBaseClass: 'Steps')
Steps.codes = args.drop(1).collectEntries { it.split('=').with { [it[0], it[1] as int] } }
try {
    new GroovyShell(Steps.classLoader, new Binding(), configuration).evaluate(new File(args[0]))
    if (Steps.failed) {
        throw Steps.failed
    }
} catch (IllegalStateException error) {
    println "failed: ${error.message}"
    System.exit(1)
}

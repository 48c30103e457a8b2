# SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
# SPDX-License-Identifier: Apache-2.0
"""The same code is told from other code, whatever the offsets and the pool are."""

import pytest

from jdkmatrix.overlay.javac import (
    bootstraps_in,
    classes_in,
    names_bootstraps,
    other_constants,
    plain_code,
    without_constants,
)

LISTING = """\
Compiled from "A.java"
class A {
  int f(java.lang.Object);
    Code:
       0: ldc           #7                  // String x
       2: ifnull        8
       5: goto          10
       8: iconst_0
       9: ireturn
      10: iload_1
      11: tableswitch   { // 0 to 1
                     0: 8
                     1: 10
               default: 8
          }
    Exception table:
       from    to  target type
           0     8     8   Class java/lang/Exception

  void g();
    Code:
       0: return
}
"""
# The constant lies beyond the first 255, and all else two bytes later.
SAME = """\
class A {
  int f(java.lang.Object);
    Code:
       0: ldc_w         #300                // String x
       3: ifnull        9
       6: goto          11
       9: iconst_0
      10: ireturn
      11: iload_1
      12: tableswitch   { // 0 to 1
                     0: 9
                     1: 11
               default: 9
          }
    Exception table:
       from    to  target type
           0     9     9   Class java/lang/Exception

  void g();
    Code:
       0: return
}
"""
# As javap -v shows two classes; of the first, the second has no lambda.
VERBOSE = """\
Classfile /a/A.class
  Last modified Nov 22, 2026; size 1512 bytes
class A
Constant pool:
   #7 = InvokeDynamic      #0:#8          // #0:run:()Ljava/lang/Runnable;
{
}
SourceFile: "A.java"
BootstrapMethods:
  0: #41 REF_invokeStatic java/lang/invoke/LambdaMetafactory.metafactory:()LCallSite;
    Method arguments:
      #48 ()V
      #49 REF_invokeStatic A.g:()V
      #48 ()V
  1: #59 REF_invokeStatic java/lang/invoke/StringConcatFactory.makeConcatWithConstants:()LCallSite;
    Method arguments:
      #65 a\\u0001b\\u0001
InnerClasses:
  public static final #74= #70 of #72;    // Lookup=class Lookup of class MethodHandles
Classfile /a/B.class
class B
{
}
"""
DYNAMIC = """\
class A {
  java.lang.Runnable f();
    Code:
       0: invokedynamic #7,  0              // InvokeDynamic #0:run:()Ljava/lang/Runnable;
       5: areturn
}
"""


def test_offsets_and_the_pool_do_not_matter() -> None:
    (code,) = classes_in(LISTING)
    assert plain_code(code) == plain_code(SAME.rstrip())


def test_classes_are_cut_apart_without_what_they_were_compiled_from() -> None:
    first, second = classes_in(LISTING + SAME)
    assert plain_code(first) == plain_code(second)
    assert first.startswith("class A {")
    assert second.endswith("}")


def test_whatever_runs_otherwise_matters() -> None:
    for right, wrong in (
        ("String x", "String y"),
        ("iconst_0", "iconst_1"),
        ("goto          10", "goto          8"),
        ("1: 10", "1: 8"),
        ("0     8     8", "0     5     8"),
        ("0     8     8", "0     8     10"),
        ("void g", "private void g"),
        ("iload_1", "iload_2"),
    ):
        assert right in LISTING
        assert plain_code(LISTING.replace(right, wrong)) != plain_code(LISTING), (right, wrong)


@pytest.mark.parametrize("text", ["String #2 a", "String #1 a ", "String #1  a"])
def test_the_text_of_a_string_matters(text: str) -> None:
    listing = LISTING.replace("String x", "String #1 a")
    assert plain_code(listing.replace("String #1 a", text)) != plain_code(listing)
    field = 'class A {\n  static final java.lang.String X = "String #1 a";\n}'
    assert plain_code(field.replace("String #1 a", text)) != plain_code(field)


def test_the_text_of_a_concatenation_matters() -> None:
    for text in ("a#2\\u0001b", "a#1\\u0001 b", "a#1  \\u0001b"):
        texts = (VERBOSE.replace("a\\u0001b", text) for text in ("a#1\\u0001b", text))
        (first, _), (two, _) = map(bootstraps_in, texts)
        assert first != two


def test_what_a_lambda_or_a_concatenation_means_matters() -> None:
    table, empty = bootstraps_in(VERBOSE)
    assert empty == ()
    assert [line.split(".metafactory")[0].split(".make")[0] for line in table] == [
        "REF_invokeStatic java/lang/invoke/LambdaMetafactory",
        "REF_invokeStatic java/lang/invoke/StringConcatFactory",
    ]
    assert table[1].endswith("arguments: a\\u0001b\\u0001")
    assert names_bootstraps(DYNAMIC)
    assert not names_bootstraps(LISTING)
    plain = plain_code(DYNAMIC, table)
    (other_table, _) = bootstraps_in(VERBOSE.replace("A.g:()V", "A.h:()V"))
    assert plain_code(DYNAMIC, other_table) != plain
    # Neither its number nor the pool does.
    other_numbers = DYNAMIC.replace("#0:", "#1:").replace("#7,  0  ", "#300,  0")
    (same_table, _) = bootstraps_in(VERBOSE.replace("#49 ", "#50 "))
    assert plain_code(other_numbers, same_table[::-1]) == plain


def test_constants_of_another_value_are_named_but_private_ones() -> None:
    fields = """\
interface A {
  public static final int ONE = 1;

  static final java.lang.String TWO = "2 = 3;";

  private static final int THREE = 3;

  static final int FOUR;

  void f(int);
    Code:
       0: return
}
"""
    candidate = fields.replace("1;", "5;").replace("= 3;", "= 4;")
    assert other_constants(candidate, fields) == ("ONE", "TWO")
    assert without_constants(candidate) == without_constants(fields)
    assert without_constants(candidate) != without_constants(fields.replace("f(int)", "f(long)"))
    assert other_constants(fields.replace("ONE", "NEW"), fields) == ("ONE",)
    assert other_constants(fields.replace("int ONE = 1", "int ONE"), fields) == ("ONE",)
    assert other_constants(fields.replace("FOUR", "FOUR = 4"), fields) == ()

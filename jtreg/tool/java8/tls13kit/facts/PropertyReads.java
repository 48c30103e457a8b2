// SPDX-FileCopyrightText: The TLS 1.3 regression kit contributors
// SPDX-License-Identifier: Apache-2.0

package tls13kit.facts;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The properties that the code of one class names, each with its default: the constant that is
 * loaded right after the name for a call such as {@code Integer.getInteger(name, 8)}. Empty where
 * the default is computed, or comes from elsewhere. JVMS 4.4 (constants), 4.7.3 (code), 6.5.
 */
final class PropertyReads {

    private static final Pattern READER = Pattern.compile(
        "java/lang/(Integer|Long|Boolean|System)\\.get\\w+"
        + "|.*Action\\.(<init>|privilegedGet\\w*)|.*/(Utils|NetProperties)\\.get\\w+");
    private static final Pattern SWITCH =
        Pattern.compile("java/lang/Boolean\\.getBoolean|.*GetBooleanAction\\.\\S+");

    private static final String OR = " or ";

    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int STRING = 8;

    private static final int BIPUSH = 16;
    private static final int SIPUSH = 17;
    private static final int LDC = 18;
    private static final int LDC_W = 19;
    private static final int LDC2_W = 20;
    private static final int TABLESWITCH = 170;
    private static final int LOOKUPSWITCH = 171;
    private static final int INVOKEVIRTUAL = 182;
    private static final int INVOKESTATIC = 184;
    private static final int WIDE = 196;
    private static final int IINC = 132;
    /** How many bytes follow each opcode; of switches and wide it is computed. */
    private static final String OPERANDS =
        "0000000000000000" + "1212211111000000" + "0000000000000000" + "0000001111100000"
        + "0000000000000000" + "0000000000000000" + "0000000000000000" + "0000000000000000"
        + "0000200000000000" + "0000000002222222" + "2222222221000000" + "0022222224421200"
        + "2200032244000000";

    private final Predicate<String> isName;
    private final Map<String, String> defaults = new TreeMap<>();
    private Object[] constants = {};    // texts, numbers, and indexes in int[]
    private int[] tags = {};
    private boolean hasName;

    private PropertyReads(Predicate<String> isName) {
        this.isName = isName;
    }

    /** The names in a class file of which {@code isName} holds, each with its default or "". */
    static Map<String, String> of(byte[] file, Predicate<String> isName) throws IOException {
        PropertyReads reads = new PropertyReads(isName);
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(file));
        in.skipBytes(8);    // magic, version
        reads.readConstants(in);
        if (reads.hasName) {
            in.skipBytes(6);    // access flags, this class, super class
            in.skipBytes(2 * in.readUnsignedShort());    // interfaces
            reads.readMembers(in);    // fields
            reads.readMembers(in);    // methods
        }
        return reads.defaults;
    }

    private void readConstants(DataInputStream in) throws IOException {
        int count = in.readUnsignedShort();
        constants = new Object[count];
        tags = new int[count];
        for (int index = 1; index < count; index++) {
            int tag = in.readUnsignedByte();
            tags[index] = tag;
            constants[index] = readConstant(in, tag);
            index += tag == LONG || tag == DOUBLE ? 1 : 0;
        }
        for (int index = 1; index < count; index++) {
            String text = tags[index] == STRING ? string(index) : null;
            if (text != null && isName.test(text)) {
                hasName = true;
                defaults.put(text, "");
            }
        }
    }

    private static Object readConstant(DataInputStream in, int tag) throws IOException {
        switch (tag) {
            case UTF8:
                return in.readUTF();
            case 3:    // Integer
                return in.readInt();
            case 4:    // Float
                return in.readFloat();
            case LONG:
                return in.readLong();
            case DOUBLE:
                return in.readDouble();
            case 7: case STRING: case 16: case 19: case 20:    // Class, MethodType, Module, Package
                return new int[] {in.readUnsignedShort()};
            case 15:    // MethodHandle
                in.skipBytes(3);
                return new int[] {};
            default:    // members, names with types, what is invoked dynamically
                return new int[] {in.readUnsignedShort(), in.readUnsignedShort()};
        }
    }

    private String string(int index) {
        return (String) constants[((int[]) constants[index])[0]];
    }

    private void readMembers(DataInputStream in) throws IOException {
        for (int left = in.readUnsignedShort(); left > 0; left--) {
            in.skipBytes(6);    // access flags, name, descriptor
            for (int attributes = in.readUnsignedShort(); attributes > 0; attributes--) {
                Object name = constants[in.readUnsignedShort()];
                byte[] content = new byte[in.readInt()];
                in.readFully(content);
                if ("Code".equals(name)) {
                    readCode(new DataInputStream(new ByteArrayInputStream(content)));
                }
            }
        }
    }

    private void readCode(DataInputStream in) throws IOException {
        in.skipBytes(4);    // stack, locals
        byte[] code = new byte[in.readInt()];
        in.readFully(code);
        String name = null;
        Object constant = null;
        for (int at = 0; at < code.length; at = next(code, at)) {
            int opcode = code[at] & 0xff;
            Object loaded = loaded(code, at, opcode);
            if (loaded instanceof String && isName.test((String) loaded)) {
                name = (String) loaded;
                constant = null;
            } else if (loaded != null && name != null && constant == null) {
                constant = loaded;
            } else {
                if (name != null && opcode >= INVOKEVIRTUAL && opcode <= INVOKESTATIC) {
                    call(name, constant, constants[u2(code, at + 1)]);
                }
                name = null;
            }
        }
    }

    /** Notes the default of a name with which this method is called. */
    private void call(String name, Object constant, Object method) {
        int[] member = (int[]) method;
        int[] nameAndType = (int[]) constants[member[1]];
        String owner = (String) constants[((int[]) constants[member[0]])[0]];
        String called = owner + "." + constants[nameAndType[0]];
        String type = (String) constants[nameAndType[1]];
        String text = null;
        if (READER.matcher(called).matches()) {
            if (constant == null && SWITCH.matcher(called).matches()) {
                text = "false";
            } else if (constant != null && type.startsWith("(Ljava/lang/String;Z)")) {
                text = String.valueOf(!constant.equals(0));
            } else if (constant != null) {
                text = String.valueOf(constant);
            }
        }
        if (text != null) {
            defaults.merge(name, text, PropertyReads::join);
        }
    }

    /** Of two defaults of one name both, in order: code in several places reads it. */
    static String join(String first, String second) {
        Set<String> texts = new TreeSet<>();
        for (String text : new String[] {first, second}) {
            Collections.addAll(texts, text.split(OR));
        }
        texts.remove("");
        return String.join(OR, texts);
    }

    /** The constant that this instruction loads; null if it loads none. */
    private Object loaded(byte[] code, int at, int opcode) {
        switch (opcode) {
            case BIPUSH:
                return (int) code[at + 1];
            case SIPUSH:
                return (int) (short) u2(code, at + 1);
            case LDC:
                return constant(code[at + 1] & 0xff);
            case LDC_W: case LDC2_W:
                return constant(u2(code, at + 1));
            case 9: case 10:    // lconst_0, lconst_1
                return (long) (opcode - 9);
            default:    // iconst_m1 to iconst_5
                return opcode >= 2 && opcode <= 8 ? (Object) (opcode - 3) : null;
        }
    }

    private Object constant(int index) {
        return tags[index] == STRING ? string(index)
            : constants[index] instanceof Number ? constants[index] : null;
    }

    private static int next(byte[] code, int at) {
        int opcode = code[at] & 0xff;
        int padded = at + 4 - at % 4;
        switch (opcode) {
            case TABLESWITCH:
                return padded + 12 + 4 * (u4(code, padded + 8) - u4(code, padded + 4) + 1);
            case LOOKUPSWITCH:
                return padded + 8 + 8 * u4(code, padded + 4);
            case WIDE:
                return at + ((code[at + 1] & 0xff) == IINC ? 6 : 4);
            default:
                return at + 1 + OPERANDS.charAt(opcode) - '0';
        }
    }

    private static int u2(byte[] code, int at) {
        return (code[at] & 0xff) << 8 | code[at + 1] & 0xff;
    }

    private static int u4(byte[] code, int at) {
        return u2(code, at) << 16 | u2(code, at + 2);
    }
}

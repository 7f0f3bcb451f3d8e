"""The names that a source file declares and uses, found by patterns of its text.

`swift_code` and `c_code` remove comments and strings first. A declaration of Swift is global, or a member of a type: names
in the body of a function are local. The patterns know no types, so a use is a word; `uses` leaves out the words that are
certainly local.
"""

import re
from typing import NamedTuple

C_COMMENT_OR_TEXT = re.compile(r"""/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'""", re.DOTALL)
# A definition at the start of a line that other files can link to: a function, or a variable with a value.
C_DEFINITION = re.compile(
    r"^(?!static\b|extern\b|typedef\b|#)\w[\w \t*]*?\*?\b(?!__)(\w+)\s*(?:\([^;{]*\)\s*\{|=)", re.MULTILINE
)

SWIFT_SPECIAL = re.compile(r'//[^\n]*|/\*|(#*)("""|")|[()]')
COMMENT_EDGE = re.compile(r"/\*|\*/")

MODIFIER = (
    r"(?:@\w+(?:\([^()]*\))?|public|package|internal|open|(?P<private>(?:file)?private)(?!\()|(?:file)?private\(set\)"
    r"|(?:package|internal)\(set\)|static|final|indirect|lazy|weak|unowned(?:\(\w+\))?|unsafe|nonisolated(?:\(\w+\))?"
    r"|mutating|nonmutating|consuming|borrowing|override|convenience|required|prefix|postfix|infix)\s+"
)
TOKEN = re.compile(
    rf"(?:{MODIFIER})*\b(?P<keyword>struct|class(?!\s+(?:func|var|let)\b)|enum|protocol|actor|extension|typealias"
    r"|associatedtype|func|var|let|case)\s+`?(?P<name>\w+)"
    r"|,\s*`?(?P<next>\w+)(?=\s*[:=])"
    r"|,\s*`?(?P<next_case>\w+)"
    r"|[{}()\[\]]"
)
NAME_OF_LINE = re.compile(
    rf"^(?P<indent>[ \t]*)(?:{MODIFIER})*(?P<keyword>struct|class(?!\s+(?:func|var|let)\b)|enum|protocol|actor|typealias"
    r"|func|var|let)\s+(?P<name>\w+)",
    re.MULTILINE,
)
DEEPEST_INDENT = 4  # of a member or local in `swift_names`: two scopes
TYPES = {"struct", "class", "enum", "protocol", "actor", "typealias", "associatedtype"}
BODY, TYPE, PRIVATE_TYPE = range(3)  # what a brace begins
WITH_MEMBERS = {"struct", "class", "enum", "protocol", "actor", "extension"}
PUBLIC = re.compile(
    r"\b(?:public|package|open)\s(?:[a-z]+(?:\(\w+\))?\s+)*(?:struct|class|enum|protocol|actor|typealias|func|var|let)\s+(\w+)"
)

IMPORT = re.compile(r"^\s*(?:@\w+(?:\(\w+\))?\s+)*(?:\w+\s+)?import (\w+)", re.MULTILINE)
WORD = re.compile(r"(?P<dot>\.?)\b(?P<word>(?:(?P<label>[a-z_]\w*)(?=:)|[A-Za-z_]\w*))\b")
PARAMETERS = re.compile(
    r"\b(?:func\s+[^\s(<]+|init[?!]?|subscript|case\s+\w+)\s*(?:<[^()]*?>)?\s*"
    r"\(((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*)\)"
)
PARAMETER = re.compile(r"\b(?:(\w+)\s+)?([a-z_]\w*):")
# The other words that a file declares beside its members: variables, names of closures, generic types.
LOCALS = [
    re.compile(r"\b(?:let|var|func|for|case)\s+(\w+)"),
    re.compile(r"\b(?:let|var|for)\s*\(([^()]*)\)"),
    re.compile(r"\{\s*(?:\[[^\]]*\]\s*)?\(?([\w\s,]+?)\)?\s+in\b"),
    re.compile(r"\b(?:func|init|struct|class|enum|protocol|subscript|typealias)\b[?!]?\s*\w*<([^<>]*)>"),
]
CONSTRAINT = re.compile(r":[^,]*")  # of a generic type


class Declaration(NamedTuple):
    name: str
    is_type: bool
    is_private: bool
    is_global: bool  # outside of every type


def c_code(text):
    return C_COMMENT_OR_TEXT.sub(" ", text)


def c_declarations(code):
    """The functions and variables of a C file that other files can use."""
    return [Declaration(name, is_type=False, is_private=False, is_global=True) for name in C_DEFINITION.findall(code)]


def swift_code(text):
    """A Swift file without comments and the text of strings; the code of interpolations stays."""
    kept = []
    _read_code(text, 0, kept, is_interpolation=False)
    return "".join(kept)


def _read_code(text, index, kept, is_interpolation):
    """Keeps code up to its end, or up to the parenthesis that closes an interpolation; returns the index behind it."""
    depth = 0
    while found := SWIFT_SPECIAL.search(text, index):
        kept.append(text[index:found.start()])
        index = found.end()
        if found[0] == "/*":
            index = _end_of_comment(text, index)
        elif found[2]:
            index = _read_string(text, index, kept, hashes=found[1], quote=found[2])
        elif found[0] in "()":
            depth += 1 if found[0] == "(" else -1
            if is_interpolation and depth < 0:
                return index
            kept.append(found[0])
    kept.append(text[index:])
    return len(text)


def _end_of_comment(text, index):
    """The index behind a block comment; these comments nest."""
    depth = 1
    while depth > 0 and (found := COMMENT_EDGE.search(text, index)):
        depth += 1 if found[0] == "/*" else -1
        index = found.end()
    return index if depth == 0 else len(text)


def _read_string(text, index, kept, hashes, quote):
    """Keeps the interpolations of a string; returns the index behind it."""
    stop = re.compile(rf"\\{hashes}(\(|.)|{quote}{hashes}", re.DOTALL)
    kept.append('"')
    while found := stop.search(text, index):
        index = found.end()
        if found[1] is None:
            break
        if found[1] == "(":
            kept.append(" ")
            index = _read_code(text, index, kept, is_interpolation=True)
            kept.append(" ")
    kept.append('"')
    return index


def swift_declarations(code):
    """The declarations of a file that are global or members of a type, in order."""
    scopes = []  # a scope for each open brace
    opened = BODY
    brackets = 0
    keyword, is_private = None, False  # of the declaration that a comma continues
    for token in TOKEN.finditer(code):
        text = token[0]
        if text == "{":
            scopes.append(opened)
            opened, keyword = BODY, None
        elif text == "}":
            scopes and scopes.pop()
            keyword = None
        elif text in "([":
            brackets += 1
        elif text in ")]":
            brackets -= 1
        elif brackets == 0 and BODY not in scopes:
            name = token["next"]
            if token["keyword"]:
                keyword, name = token["keyword"], token["name"]
                is_private = token["private"] is not None or PRIVATE_TYPE in scopes
                if keyword in WITH_MEMBERS:
                    opened = PRIVATE_TYPE if is_private else TYPE
            elif keyword == "case":
                name = name or token["next_case"]
            elif keyword not in ("var", "let"):
                continue
            if name and keyword != "extension":
                yield Declaration(name, keyword in TYPES, is_private, is_global=not scopes)


def swift_names(code):
    """The names that lines of a file declare, each with whether it is a type: private ones too, and some of locals.

    The cases of enums are missing. Members and locals count up to a depth of two scopes.
    """
    for found in NAME_OF_LINE.finditer(code):
        if found["keyword"] in TYPES or len(found["indent"]) <= DEEPEST_INDENT:
            yield found["name"], found["keyword"] in TYPES


def swift_public_names(code):
    """The names that a file declares for other modules."""
    return PUBLIC.findall(code)


def imports(code):
    """The modules that a Swift file imports."""
    return IMPORT.findall(code)


def words(code):
    """All words of a file that may be names."""
    return set(re.findall(r"\b[A-Za-z_]\w+\b", code))


def uses(code):
    """The words of a Swift file that may be names of other files.

    A word before a colon is a label. A word that the file declares for itself is local, unless a dot is in front of it.
    """
    lists = [CONSTRAINT.sub("", found) for pattern in LOCALS for found in pattern.findall(code)]
    lists += [" ".join(names) for found in PARAMETERS.findall(code) for names in PARAMETER.findall(found)]
    local = {word for names in lists for word in re.findall(r"\w+", names)}
    return {
        found["word"]
        for found in WORD.finditer(code)
        if found["dot"] or not (found["label"] or found["word"] in local)
    }

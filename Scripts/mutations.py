"""The mutations of a Swift file: small changes of one line each, found by patterns of the text.

The kinds: another comparison, operator, `min` or `max`, `&&` or `||`, number or flag; one less at the end of a range or of
a count; the opposite of a condition; a call or an assignment left out; a function that returns at once. Comments, strings,
signatures, declarations of types and code under `#if` have none. The caller replaces mutations that do not compile.
"""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Mutation:
    """A change of a part of one line."""

    file: str
    number: int
    kind: str
    line: str
    begin: int
    end: int
    new: str
    form: str = "({on} ? ({new}) : ({old}))"

    def switched(self, identifier):
        text = self.form.format(on=f"mutationIsOn({identifier})", new=self.new, old=self.line[self.begin:self.end])
        return self.line[:self.begin] + text + self.line[self.end:]

    @property
    def old_line(self):
        return self.line.strip()

    @property
    def new_line(self):
        return (self.line[:self.begin] + self.new + self.line[self.end:]).strip() or "(nothing)"

    def __str__(self):
        return f"{self.file}:{self.number} {self.kind}: {self.old_line}  →  {self.new_line}"


# Strings and comments.
ATOM = re.compile(
    r'"""[\s\S]*?"""|#"[\s\S]*?"#|"(?:\\\((?:[^()]|\([^()]*\))*\)|\\.|[^"\\\n])*"|//[^\n]*|/\*[\s\S]*?\*/'
)
SIGNATURE = re.compile(
    r"^[ \t]*(?:@[\w.()]+ +|(?:public|package|private|fileprivate|internal|static|mutating|nonmutating|borrowing|"
    r"consuming|nonisolated|indirect|final|convenience|override|prefix|postfix)(?:\(\w+\))? +)*"
    r"(func|init|subscript|case|import|typealias|associatedtype|protocol|enum|struct|class|extension|actor)\b",
    re.MULTILINE,
)
CONDITIONAL = re.compile(r"^[ \t]*#if\b[\s\S]*?^[ \t]*#endif\b[^\n]*", re.MULTILINE)
CONTROL = re.compile(r"\s*(?:\} else )?(?:if|guard|while|for|switch)\b")
CONTINUED = re.compile(r"\s*(?:[.?:=&|<>*/%+-]|!=|\{|where\b|else\b|throws\b)")
# What stands before and after an expression, besides brackets and commas.
BEFORE = re.compile(
    r"\b(?:return|if|guard|while|where|in|else|case|let|var|try[?!]?|await|unsafe|throw|switch|for)\s+"
    r"|(?<=\s)(?:[-+*/%&|^]?=|->)\s+|(?<=\S):\s+"
)
AFTER = re.compile(r"\s(?:else|where|in)\s|\s(?:[-+*/%&|^]?=|->)\s")
CLOSERS, OPENERS = {")": "(", "]": "[", "}": "{"}, {"(": ")", "[": "]", "{": "}"}
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "*": "/", "/": "*", "&+": "&-", "&-": "&+", "&*": "&+", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*=",
         "min": "max", "max": "min", "true": "false", "false": "true"}
OPERATORS = {
    "compare": re.compile(r"(?<= )(?:<=|>=|==|!=|<|>)(?= )"),
    "arithmetic": re.compile(r"(?<= )&?[-+*/](?= )"),
    "minmax": re.compile(r"(?<!\w)(?:min|max)(?=\()"),
    "logic": re.compile(r"(?<= )(?:&&|\|\|)(?= )"),
    "range": re.compile(r"\.\.[<.](?=[\w(-])"),
    "count": re.compile(r"(?<=\w)\.count\b(?! *[({])"),
    "literal": re.compile(r"(?<![\w.$#])\d[\d_]*(?:\.\d[\d_]*)?(?:e-?\d+)?(?!\w|\.\d)|\b(?:true|false)\b"),
}
KEYWORDS = r"(?!(?:return|if|guard|let|var|for|while|switch|throw|defer|super|precondition|fatalError|withExtendedLifetime)\b)"
CALL = re.compile(r"(?:try[?!]? |await |_ = )*" + KEYWORDS + r"[A-Za-z_$][\w.$\[\]?!]*\(.*[)}]$")
ASSIGNMENT = re.compile(KEYWORDS + r"[A-Za-z_$(][^=]*? ([-+*/%&|^]?=) .+$")


def another(text):
    """What a mutation writes for an operator, a name or a number."""
    if text in OTHER:
        return OTHER[text]
    digits = text.replace("_", "")
    if re.search(r"[.e]", digits):
        return f"{float(digits) * 1.1 or 0.1:.6g}"
    return str(int(digits) + 1 if int(digits) < 10 else int(digits) * 11 // 10)


def blank(found):
    """Spaces in place of a comment, and a name in place of a string."""
    return re.sub(r"[^\n]", "S" if found[0][0] == '"' or found[0][:2] == '#"' else " ", found[0])


def outside(text):
    """A text with all that is in brackets replaced."""
    depth, result = 0, ""
    for character in text:
        depth -= character in CLOSERS
        result += character if depth <= 0 else "x"
        depth += character in OPENERS
    return result


def is_balanced(text):
    return all(text.count(opener) == text.count(closer) for closer, opener in CLOSERS.items())


class Source:
    """A file, and its mutations."""

    def __init__(self, name, text):
        self.name, self.mutations = name, []
        self.lines = text.split("\n")
        self.masked = self.without_signatures(CONDITIONAL.sub(blank, ATOM.sub(blank, text))).split("\n")
        brackets = []
        for number, line in enumerate(self.masked):
            if line.strip() and not line.lstrip().startswith(("@", "#")):
                if brackets and brackets[-1] == "{":
                    self.add_statements(number, line)
                self.add_conditions(number, line)
                for kind, pattern in OPERATORS.items():
                    for found in pattern.finditer(line):
                        self.add_operator(number, line, kind, found)
            for character in line:
                if character in OPENERS:
                    brackets.append(character)
                elif character in CLOSERS and brackets:
                    brackets.pop()

    def add(self, number, kind, begin, end, new, form=Mutation.form):
        self.mutations.append(Mutation(self.name, number + 1, kind, self.lines[number], begin, end, new, form))

    def without_signatures(self, text):
        """Blanks signatures, and adds an early return for each function that returns nothing."""
        for found in SIGNATURE.finditer(text):
            depth, end = 0, found.end()
            for end in range(found.end(), len(text)):
                depth += (text[end] in "([") - (text[end] in ")]")
                isEndOfLine = text[end] == "\n" and not CONTINUED.match(text, end + 1)
                if depth == 0 and (text[end] == "{" or isEndOfLine or text[end] == ":" and found[1] == "case"):
                    break
            signature = text[found.start():end]
            if found[1] == "func" and text[end:end + 1] == "{" and "->" not in outside(signature) and text[end:end + 2] != "{}":
                number, column = text.count("\n", 0, end), end - text.rfind("\n", 0, end)
                separator = ";" if self.lines[number][column:].strip() else ""
                self.add(number, "return", column, column, " return", " if {on} {{ return }}" + separator)
            text = text[:found.start()] + re.sub(r"[^\n]", " ", signature) + text[end:]
        return text

    def is_whole(self, number):
        """Whether neither a line nor the next one continues another."""
        following = next((line for line in self.masked[number + 1:] if line.strip()), "")
        return not CONTINUED.match(self.masked[number]) and not CONTINUED.match(following)

    def add_statements(self, number, line):
        """Adds that a call or an assignment is left out, and that `+=` is `-=`, for a whole line or between braces."""
        parts = [(found, not CONTROL.match(line) and not line[:found.start()].endswith(("else { ", "defer { ")))
                 for found in re.finditer(r"(?<=\{ )[^{}]+(?= \})", line)]
        if self.is_whole(number):
            parts.append((re.search(r"\S.*(?<! )", line), False))
        for found, isClosure in parts:
            text, flat, begin, end = found[0], outside(found[0]), *found.span()
            assigned = ASSIGNMENT.match(flat)
            if not is_balanced(text) or ";" in flat or re.search(r"\b(?:let|var|in)\b", flat):
                continue
            if assigned or not isClosure and CALL.match(text) and not re.search(r"\s[-+*/<>=?&|]+\s", flat):
                self.add(number, "drop", begin, end, "", "if !{on} {{ {old} }}")
            if assigned and assigned[1] in OTHER:
                old = self.lines[number][begin:end]
                new = old[:assigned.start(1)] + OTHER[assigned[1]] + old[assigned.end(1):]
                self.add(number, "arithmetic", begin, end, new, "if {on} {{ {new} }} else {{ {old} }}")

    def add_conditions(self, number, line):
        """Adds the opposite of each condition of `if`, `guard` and `while`."""
        found = re.match(r"\s*(?:\} else )?(?:if|guard|while) ", line)
        if not found:
            return
        flat = outside(line[found.end():])
        for part in re.finditer(r"[^,\s][^,]*", flat[:re.search(r" else \{| \{|$", flat).start()]):
            begin, end = found.end() + part.start(), found.end() + part.end()
            if not re.match(r"(?:let|var|case|unsafe|try|await)\b|#", part[0]) and (end < len(line) or self.is_whole(number)):
                self.add(number, "negate", begin, end, f"!({self.lines[number][begin:end]})")

    def add_operator(self, number, line, kind, found):
        bounds = self.expression(number, line, found.start(), found.end())
        if bounds:
            begin, end, old = *bounds, self.lines[number]
            new = {"range": old[begin:end] + " - 1", "count": old[begin:found.end()] + " - 1" + old[found.end():end]}
            changed = old[begin:found.start()] + another(found[0]) + old[found.end():end] if kind not in new else new[kind]
            self.add(number, kind, begin, end, changed)

    def expression(self, number, line, left, right):
        """The bounds of the largest expression around a part of a line, within the brackets that the part is in."""
        least = re.match(r"\s*\}?", line).end()
        begin = left
        while begin > least and not (line[begin - 1] in "([{,;" and is_balanced(line[begin:left])):
            begin -= 1
        isControl = CONTROL.match(line) and is_balanced(line[least:begin])
        end = right
        while end < len(line) and not (line[end] in ")]},;" + "{" * bool(isControl) and is_balanced(line[right:end])):
            end += 1
        if not is_balanced(line[begin:end]):
            return None
        befores = list(BEFORE.finditer(outside(line[begin:left])))
        begin += befores[-1].end() if befores else 0
        if after := AFTER.search(outside(line[right:end])):
            if "=" in after[0] or ">" in after[0]:
                return None
            end = right + after.start()
        begin, end = end - len(line[begin:end].lstrip()), begin + len(line[begin:end].rstrip())
        isAtEdge = not line[:begin].strip() or not line[end:].strip()
        return None if line[begin] in "&#" or isAtEdge and not self.is_whole(number) else (begin, end)

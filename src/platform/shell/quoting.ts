/**
 * The words of a command line as in `$EDITOR`: separated by blanks, joined by quotes, with a backslash for one
 * character. Nothing is expanded. On Windows a backslash belongs to a path, and only double quotes quote. Null where a
 * quote is left open.
 */
export function splitWords(line: string, windows = false): string[] | null {
  const part = windows ? /"([^"]*)"|([^\s"]+)/y : /'([^']*)'|"((?:[^"\\]|\\[^])*)"|((?:[^\s'"\\]|\\[^])+)/y
  const words: string[] = []
  let at = 0
  while (at < line.length) {
    const blanks = /\s*/y
    blanks.lastIndex = at
    at += blanks.exec(line)?.[0].length ?? 0
    if (at >= line.length) break
    // Parts that touch are one word: /opt/'my editor'/bin.
    let word = ''
    while (at < line.length && !/\s/.test(line[at] ?? '')) {
      part.lastIndex = at
      const match = part.exec(line)
      if (match === null) return null
      word += windows ? (match[1] ?? match[2] ?? '') : unquoted(match)
      at = part.lastIndex
    }
    words.push(word)
  }
  return words
}

function unquoted([, single, double, bare]: RegExpExecArray): string {
  if (single !== undefined) return single
  // Between double quotes a backslash stays where there is nothing to protect.
  if (double !== undefined) return double.replace(/\\([\\"$`\n])/g, '$1')
  return (bare ?? '').replace(/\\([^])/g, '$1')
}

/** Quotes a text as one word of any POSIX shell, whatever is in it. A shell cannot hold a NUL character. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** A word for a shell's command line, in quotes where it would be more than one word or mean something. */
export function quotedWord(word: string, windows = false): string {
  if (windows) return /^[\w.:\\/-]+$/.test(word) ? word : `"${word}"`
  return /^[\w.,:@%+=/-]+$/.test(word) ? word : quoted(word)
}

/** Puts a register into the text. */
import type { Editor } from '../editor.ts'
import { nextBoundary } from '../graphemes.ts'
import { lineEnd, lineStart } from '../motion.ts'
import { normalisePaste } from '../paste.ts'
import { placed, replaced } from './change.ts'
import { firstNonBlank, isLineEnd, onCharacter } from './places.ts'
import type { Register } from './vim.ts'

/** The text of the clipboard; whole lines if it ends with a newline. */
export function fromClipboard(text: string): Register {
  const clean = normalisePaste(text)
  return clean.endsWith('\n') ? { text: clean.slice(0, -1), isLinewise: true } : { text: clean, isLinewise: false }
}

/** The text for the clipboard. */
export function forClipboard({ text, isLinewise }: Register): string {
  return isLinewise ? `${text}\n` : text
}

/** Puts the register `count` times after the caret or before it. */
export function put(editor: Editor, register: Register, count: number, isBefore: boolean): Editor {
  const { text, caret } = editor
  if (register.isLinewise) {
    const lines = Array.from({ length: count }, () => register.text).join('\n')
    if (isBefore) {
      const start = lineStart(text, caret)
      return atFirstLetter(replaced(editor, { start, end: start }, `${lines}\n`, start, caret), start)
    }
    const end = lineEnd(text, caret)
    return atFirstLetter(replaced(editor, { start: end, end }, `\n${lines}`, end + 1, caret), end + 1)
  }
  const start = isBefore || isLineEnd(text, caret) ? caret : nextBoundary(text, caret)
  const inserted = register.text.repeat(count)
  if (inserted === '') return editor
  const changed = replaced(editor, { start, end: start }, inserted, start, caret)
  if (register.text.includes('\n')) return placed(changed, onCharacter(changed.text, start))
  return placed(changed, onCharacter(changed.text, start + inserted.length - 1))
}

function atFirstLetter(editor: Editor, line: number): Editor {
  return placed(editor, firstNonBlank(editor.text, line))
}

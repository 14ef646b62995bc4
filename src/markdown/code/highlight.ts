import { sanitizeExact } from '../../text/sanitize.ts'
import { expandTabs } from '../../text/lines/width.ts'
import { beginCode, readCode } from './code.ts'
import type { Styled } from '../../text/styled.ts'
import { languageOf } from './languages.ts'
import { codeLine } from '../render.ts'
import type { MarkdownStyle } from '../style.ts'

/**
 * Highlights code that is not in a message: a command, a file, one side of a diff. The lines are sanitised and not
 * wrapped, with tabs as spaces; they are plain if the language is not loaded (`loadLanguage`).
 */
export function highlightLines(
  code: string,
  language: string,
  style: Pick<MarkdownStyle, 'syntax' | 'codeBlock'>,
): Styled[] {
  let state = beginCode(language)
  return sanitizeExact(code)
    .split('\n')
    .map(line => {
      const { spans, next } = readCode(state, expandTabs(line))
      state = next
      return codeLine(spans, style)
    })
}

/** The language of a file by its name; '' if unknown. */
export function languageOfPath(path: string): string {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).toLowerCase()
  const whole = languageOf(name)
  if (whole !== null) return whole
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : (languageOf(name.slice(dot + 1)) ?? '')
}

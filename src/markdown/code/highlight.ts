import { sanitizeExact } from '../../text/sanitize.ts'
import { expandTabs } from '../../text/lines/width.ts'
import { beginCode, readCode } from './code.ts'
import type { Styled } from '../../text/styled.ts'
import { languageOf } from './languages.ts'
import { codeLine } from '../render.ts'
import type { MarkdownStyle } from '../style.ts'

/**
 * Code that is no message: a command, a file, one side of a diff. One line for each line of it, not wrapped;
 * sanitised so that nothing paints over anything, tabs as spaces. Plain when the language is not loaded (`loadLanguage`).
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

/** The language of a file by its name; '' when it says nothing. */
export function languageOfPath(path: string): string {
  const name = (/[^/\\]*$/.exec(path)?.[0] ?? '').toLowerCase()
  const whole = languageOf(name)
  if (whole !== null) return whole
  const dot = name.lastIndexOf('.')
  return dot < 0 ? '' : (languageOf(name.slice(dot + 1)) ?? '')
}

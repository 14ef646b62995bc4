import type { ServedQuestion } from './protocol.ts'

/** What the digest of a question is of: all that is shown, so also the fields of a form, which are no HTML. */
export function digestedText({ html, fields }: Pick<ServedQuestion, 'html' | 'fields'>): string {
  return fields.length === 0 ? html : `${html}\n${JSON.stringify(fields)}`
}

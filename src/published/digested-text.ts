import type { ServedQuestion } from './protocol.ts'

/** What the digest of a question is of: all that is shown, so also the fields of a form, which are no HTML. */
export function digestedText({ html, fields }: Pick<ServedQuestion, 'html' | 'fields'>): string {
  return fields.length === 0 ? html : `${html}\n${JSON.stringify(fields)}`
}

/** Whether an answer is for this question: as HTML, or in plain lines. */
export function isDigestOf(question: Pick<ServedQuestion, 'digest' | 'textDigest'>, digest: string): boolean {
  return digest === question.digest || digest === question.textDigest
}

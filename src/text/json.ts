import { escapeMarks } from './marks.ts'

/**
 * JSON for others to read, also on a terminal: what acts there or hides is written as `\uXXXX`, which for a reader of JSON is
 * the same text.
 */
export function toJson(value: unknown, indent?: number): string {
  return escapeMarks(JSON.stringify(value, null, indent))
}

/** Asks an agent for the findings of its review in a form that programs can read. */
import * as z from 'zod'
import { FINDINGS_LANGUAGE, findingLevels } from './findings/finding.ts'

/** A finding as the prompt asks for it. What agents write instead is read as well (`findings/read-json.ts`). */
export const askedFindingSchema = z.object({
  level: z
    .enum(findingLevels)
    .describe('error: wrong, or loses something; warning: may go wrong; note: anything else worth saying'),
  path: z.string().describe('the path of the file from the folder that you work in'),
  line: z
    .number()
    .min(1)
    .optional()
    .describe('the first line, as the file is after the change; omit it for the whole file'),
  endLine: z.number().min(1).optional().describe('the last line, if there are several'),
  title: z.string().describe('one sentence: what goes wrong'),
  text: z.string().optional().describe('when it goes wrong and how to fix it, in Markdown'),
})

/** What stands in the code block at the end of the answer. */
export const askedFindingsSchema = z.object({
  base: z
    .string()
    .optional()
    .describe('the branch, tag or commit that you compared with, if it is not the last commit'),
  findings: z.array(askedFindingSchema).describe('the most serious first; empty if there is none'),
})

/** The text after the prompt of a review. */
export function askForFindings(): string {
  const { $schema: _draft, ...schema } = z.toJSONSchema(askedFindingsSchema)
  return `Report the findings in one code block of the language \`${FINDINGS_LANGUAGE}\` at the end of your answer, and nowhere else: what stands in it is shown on the lines that it names. Above it write only what is about the change as a whole, in a few sentences. The block contains JSON of this schema, and is there even if nothing is found:\n\n${JSON.stringify(schema)}`
}

/** The prompt that asks once more, for an answer in which nothing could be read. */
export function askAgain(): string {
  return `Your answer has no findings that can be read. Answer again, with the whole code block of the language \`${FINDINGS_LANGUAGE}\`, and nothing after it.`
}

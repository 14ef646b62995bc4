/** Checks an answer against the JSON Schema of `--output-schema`. */
import { isObject } from '../text/json.ts'
import type { ErrorObject } from 'ajv'
import { sanitize } from '../text/sanitize.ts'

export type OutputSchema = {
  /** The text after the prompt that asks for JSON of this schema. */
  instruction: string
  check: (answer: string) => CheckedAnswer
  /** The prompt that asks once more. */
  correction: (problems: readonly string[]) => string
  /** The words for a run whose answer does not satisfy it. */
  unfit: string
}

export type CheckedAnswer =
  | { ok: true; json: string }
  /** `problems`: one line each, at least one and at most `MOST_PROBLEMS`. */
  | { ok: false; problems: readonly string[] }

export type ReadSchema = { ok: true; schema: OutputSchema } | { ok: false; problem: string }

const MOST_PROBLEMS = 10

/** Reads a JSON Schema of draft 2020-12 (if it names none) or draft-07, or says what is wrong with it. */
export async function readOutputSchema(text: string): Promise<ReadSchema> {
  let schema: unknown
  try {
    schema = JSON.parse(text)
  } catch (error) {
    return { ok: false, problem: `is not JSON: ${messageOf(error)}` }
  }
  if (!isObject(schema)) return { ok: false, problem: 'is not a JSON Schema: it must be an object' }
  // Keywords and formats of other tools are common. Ajv would refuse unknown keywords and print a line about formats.
  const options = { strict: false, allErrors: true, validateFormats: false, logger: false } as const
  try {
    const ajv = isDraft07(schema)
      ? new (await import('ajv')).Ajv(options)
      : new (await import('ajv/dist/2020.js')).Ajv2020(options)
    const isValid = ajv.compile(schema)
    const check = (answer: string): CheckedAnswer => {
      const read = readAnswer(answer)
      if (!read) return { ok: false, problems: ['The answer is not JSON.'] }
      if (isValid(read.value)) return { ok: true, json: read.json }
      return { ok: false, problems: problemsOf(isValid.errors ?? []) }
    }
    return { ok: true, schema: { instruction: instructionFor(schema), check, correction, unfit: UNFIT } }
  } catch (error) {
    return { ok: false, problem: `is not a JSON Schema that can be used: ${messageOf(error)}` }
  }
}

const UNFIT = 'The answer does not satisfy the schema of --output-schema.'

function correction(problems: readonly string[]): string {
  return `Your answer does not satisfy the JSON Schema:\n\n${problems.map(each => `- ${each}\n`).join('')}\nAnswer again, with the whole corrected JSON only.`
}

function instructionFor(schema: object): string {
  return `Your final answer must be JSON only, without a code fence and without other words. It must satisfy this JSON Schema:\n\n${JSON.stringify(schema)}`
}

function isDraft07(schema: object): boolean {
  return '$schema' in schema && /^http:\/\/json-schema\.org\/draft-07\/schema#?$/.test(String(schema.$schema))
}

const FENCED = /```(?:json)?[^\S\n]*\n([\s\S]*?)\n[^\S\n]*```/gi

/** The JSON of an answer: all of it, or else its last code block. Models add a fence although the instruction forbids it. */
function readAnswer(answer: string): { value: unknown; json: string } | null {
  for (const text of [answer, [...answer.matchAll(FENCED)].at(-1)?.[1]]) {
    if (text === undefined) continue
    try {
      return { value: JSON.parse(text), json: text.trim() }
    } catch {
      // The next candidate may be JSON.
    }
  }
  return null
}

function problemsOf(errors: readonly ErrorObject[]): string[] {
  const lines = errors.map(({ instancePath, message, params }) => {
    const extra: unknown = params['additionalProperty']
    const name = typeof extra === 'string' ? `: ${JSON.stringify(extra)}` : ''
    return `${instancePath === '' ? 'The answer' : instancePath} ${message ?? 'is wrong'}${name}.`
  })
  const more = lines.length - MOST_PROBLEMS
  return more <= 0 ? lines : [...lines.slice(0, MOST_PROBLEMS - 1), `There are ${more + 1} more problems.`]
}

const messageOf = (error: unknown): string => sanitize(error instanceof Error ? error.message : String(error))

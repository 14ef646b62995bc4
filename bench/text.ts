/**
 * A long answer in Markdown, the same in every run: headings, paragraphs, lists, tables, code and quotes. About one word
 * in three is a mark that occurs nowhere else, so that the screen shows which part of the answer has arrived.
 */

export type Answer = {
  text: string
  /** The text as the model sends it: pieces of about 20 characters, cut anywhere. */
  deltas: readonly string[]
  /** Every mark of the text, with the index of the delta that completes it. */
  marks: ReadonlyMap<string, number>
}

/** Finds marks: six characters that no other word is made of. */
export const markPattern = /\bz[0-9a-f]{5}\b/g

const CHARACTERS_PER_DELTA = 21
const DELTAS_PER_MARK_AT_LEAST = 0.5

const vocabulary =
  'the answer of a program that writes while it thinks has many words and few of them matter much so each line is read once then left alone for good until someone asks why it was there naïve café 東京 test buffer frame parser token stream'.split(
    ' ',
  )

/** An answer of `deltaCount` deltas. `turn` numbers the marks: two turns of one conversation share none. */
export function makeAnswer(deltaCount: number, turn = 0): Answer {
  const length = deltaCount * CHARACTERS_PER_DELTA
  const firstMark = Math.ceil((turn * deltaCount) / DELTAS_PER_MARK_AT_LEAST)
  const text = write(length, firstMark, turn)
  const deltas = cut(text, deltaCount)
  return { text, deltas, marks: findMarks(deltas) }
}

function write(length: number, firstMark: number, seed: number): string {
  const random = randomFrom(seed + 1)
  let mark = firstMark
  let wordNumber = 0

  const pick = <Value>(values: readonly Value[], fallback: Value): Value =>
    values[Math.floor(random() * values.length)] ?? fallback
  const between = (least: number, most: number): number => least + Math.floor(random() * (most - least + 1))
  const word = (): string => {
    wordNumber += 1
    if (wordNumber % 3 !== 0) return pick(vocabulary, 'word')
    mark += 1
    return `z${mark.toString(16).padStart(5, '0')}`
  }
  const words = (count: number): string => Array.from({ length: count }, word).join(' ')
  const many = (least: number, most: number, make: (index: number) => string): string[] =>
    Array.from({ length: between(least, most) }, (_, index) => make(index))

  const phrases: readonly (() => string)[] = [
    () => words(between(4, 9)),
    () => words(between(4, 9)),
    () => `**${words(2)}**`,
    () => `_${words(2)}_`,
    () => `\`${words(2)}\``,
    () => `[${words(2)}](https://example.org/${between(1, 99)})`,
  ]
  const sentence = (): string => `${many(2, 5, () => pick(phrases, () => words(5))()).join(' ')}.`
  const paragraph = (): string => many(3, 8, sentence).join(' ')
  const list = (): string => many(4, 8, index => `${index % 3 === 2 ? '  ' : ''}- ${sentence()}`).join('\n')
  const steps = (): string => many(3, 5, index => `${index + 1}. ${sentence()}`).join('\n')
  const table = (): string =>
    [`| ${words(1)} | ${words(2)} | ${words(1)} |`, '| --- | :-: | --: |']
      .concat(many(3, 7, () => `| ${words(2)} | ${words(3)} | ${between(1, 9999)} |`))
      .join('\n')
  const statements: readonly (() => string)[] = [
    () => `const ${word()} = ${between(1, 999)} // ${words(4)}`,
    () => `  return "${words(4)}"`,
    () => `if (${word()} !== ${word()}) {`,
    () => '}',
    () => '',
  ]
  const code = (): string => {
    const lines = many(8, 24, () => pick(statements, () => '')())
    return `\`\`\`${pick(['ts', 'python', 'sh', 'json', ''], '')}\n${lines.join('\n')}\n\`\`\``
  }
  const quote = (): string => `> ${sentence()}\n> ${sentence()}`

  const blocks = [
    () => `## ${words(4)}`,
    paragraph,
    paragraph,
    list,
    paragraph,
    code,
    () => `### ${words(3)}`,
    paragraph,
    table,
    steps,
    quote,
    paragraph,
  ]
  let text = `# ${words(4)}\n\n${sentence()}`
  for (let index = 0; text.length < length; index += 1) text += `\n\n${blocks[index % blocks.length]?.() ?? ''}`
  return `${text}\n`
}

/** Cuts the text into `count` pieces of about the same length. */
function cut(text: string, count: number): string[] {
  const random = randomFrom(count)
  const ends = Array.from({ length: count }, (_, index) => {
    if (index === count - 1) return text.length
    return Math.round(((index + 0.6 + random() * 0.8) / count) * text.length)
  })
  return ends.map((end, index) => text.slice(ends[index - 1] ?? 0, end))
}

function findMarks(deltas: readonly string[]): Map<string, number> {
  const text = deltas.join('')
  const marks = new Map<string, number>()
  let index = 0
  let end = deltas[0]?.length ?? 0
  for (const match of text.matchAll(markPattern)) {
    const complete = match.index + match[0].length
    while (end < complete) {
      index += 1
      end += deltas[index]?.length ?? Number.POSITIVE_INFINITY
    }
    marks.set(match[0], index)
  }
  return marks
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

import { pieces } from '../script/pieces.ts'
import type { Script } from '../script/script.ts'

const length = 2_000

const things = ['lexer', 'parser', 'printer', 'scheduler', 'cache', 'router', 'index', 'journal']
const deeds = ['reads', 'keeps', 'drops', 'orders', 'counts', 'merges', 'checks', 'copies']
const traits = ['every line once', 'only what changed', 'nothing twice', 'what came first', 'the rest', 'each name']

function word(list: readonly string[], at: number): string {
  return list[at % list.length] ?? ''
}

/** Sections differ by number only, so each run streams the same bytes. */
function section(n: number): string {
  const subject = word(things, n)
  const shapes = [
    `The ${subject} ${word(deeds, n)} ${word(traits, n)}, and the ${word(things, n + 3)} ${word(deeds, n + 1)} ` +
      `${word(traits, n + 2)}. **Neither** waits for the other: \`${subject}.run(${n})\` returns at once, and what is ` +
      `left to do is done when there is *time* for it.`,
    Array.from(
      { length: 5 },
      (_, i) => `${i + 1}. ${word(things, n + i)} ${word(deeds, n + i)} ${word(traits, i)}`,
    ).join('\n'),
    `\`\`\`ts\nexport function ${subject}${n}(input: string[]): number {\n  const seen = new Set<string>()\n` +
      `  for (const item of input) seen.add(item)\n  return seen.size * ${n + 1}\n}\n\`\`\``,
    `| part | runs | time |\n| :--- | ---: | ---: |\n` +
      Array.from({ length: 4 }, (_, i) => `| ${word(things, n + i)} | ${(n + 1) * (i + 2)} | ${i}.${n % 10}s |`).join(
        '\n',
      ),
    `> ${word(things, n + 1)}: ${word(deeds, n + 2)} ${word(traits, n + 1)}, or so it says.`,
  ]
  return `## ${n + 1}. The ${subject}\n\n${word(shapes, n)}\n\n${word(shapes, n + 2)}\n\n`
}

function longText(): string {
  let text = 'A long answer, by script: about two thousand pieces in ten seconds. Esc stops it.\n\n'
  for (let n = 0; pieces(text).length < length - 20; n += 1) text += section(n)
  return `${text}That was all. A screen that is still calm after this is a good one.`
}

export const long: Script = {
  name: 'long',
  words: ['stream', 'flood'],
  about: 'a stream of about 2,000 pieces in ten seconds',
  calls: [[{ text: longText(), pace: 5 }]],
}

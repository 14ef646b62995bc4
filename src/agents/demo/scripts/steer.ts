/** The tour of words to a running turn: a command that takes its time, and a long text before the next one. */
import type { Script, ScriptedWrite } from '../script/script.ts'
import { bash } from '../script/tools.ts'

const opening = `You need not wait for me, or stop me, to say something. While the next command runs, type a few words and press **Alt+S** in \
the place of Enter. They wait above the composer until I get them: with the result of the command, in the same turn. **Enter** \
alone queues them for after the turn, as always.`

const between = `Now the other case. I write for a while, and after that I run another command. Say something with **Alt+S** before it begins:`

const lines: readonly ScriptedWrite[] = [
  'A command that was asked for before your words must not run after them.',
  'So it is held: it does not run, and I get your words in its place.',
  'It was not wrong, and I may make it again, or not, as your words have it.',
  'A question that waits for your answer is never answered by such words.',
].flatMap(line => [{ pause: 2500 }, `\n\n- ${line}`])

const ending = `That was all. \`/steer TEXT\` does the same as **Alt+S**, and if nothing that I do can take your words before my turn ends, they \
become your next prompt.`

const tests = Array.from({ length: 16 }, (_, at) => [1000, `✓ test/part-${at + 1}.test.ts\n`] as const)

export const steer: Script = {
  name: 'tour steer',
  words: ['steer', 'steering'],
  about: 'words to me while I work (Alt+S), for half a minute',
  answersItself: true,
  calls: [
    [{ text: opening, pace: 16 }, { tool: bash('npm test', [...tests, [200, '\nTests  16 passed\n']]) }],
    [between, ...lines, { tool: bash('npm run build', [[800, 'built in 0.8s\n']]) }],
    [ending],
  ],
}

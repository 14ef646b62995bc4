/** The tour of several conversations: while its answer continues, the user opens others beside it. */
import type { Script, ScriptedWrite } from '../script/script.ts'

const opening = `I am one of several. While I work, which takes a minute, you can have others work beside me. Type these, one after \
another:

1. \`/spawn permissions\` opens a second conversation with its own agent. This one stays on the screen; the sign of the other one \
is in the status line, and becomes \`?\` when its agent asks whether a command may run.
2. \`/spawn tour\` opens a third one. It waits if as many conversations are working as this machine has processors.
3. **Alt+A** lists all of them. \`y\` allows what the second one asks, if all of it fits there; **Enter** or a digit goes to one.
4. **Alt+A Alt+A** goes back to the previous one. The scrollback says which conversation each part belongs to.
5. \`/btw why is the parser slow?\` asks a second agent on the side. It only reads, and nothing of it stays here unless you press \
\`t\`.

A prompt that ends with \`&\` is the same as \`/spawn\`. And now I start working:`

/** Text alone: a call could be asked about, and the question would take the composer's place. */
const work: readonly ScriptedWrite[] = Array.from({ length: 20 }, (_, at) => [
  { pause: 3000 },
  `Test ${at + 1} of 20 passed.  \n`,
]).flat()

const ending =
  '\nThat was my minute. `/conversations` lists what the others did meanwhile. `/exit` ends all of them; each has a session of its own.'

export const agents: Script = {
  name: 'tour agents',
  words: ['agents', 'conversations'],
  about: 'several conversations at once, and a question on the side, for a minute',
  calls: [[{ text: `${opening}\n\n`, pace: 16 }, ...work, ending]],
}

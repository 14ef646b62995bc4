/** The tour of the board: conversations of two made-up machines, one of which asks for a yes. */
import type { Script } from '../script/script.ts'

const words = `Many agents on many tasks, on several machines: they are on one list.

1. \`/board\` opens it, and so does Ctrl+A in the list of conversations (Alt+A). What waits for you is on top.
2. The demo makes two machines up. On \`ssh:build\` an agent wants to release a version: read all of it, PageDown shows more, and answer \
with **y** or **n**; **w** refuses with words. \`ssh:arm\` is out of reach: its row is grey, and nothing waits for it.
3. **f** keeps only the rows with some words, **h** shows the machines, **?** all keys, **Esc** comes back here.

\`zotui board\` in a shell is the same list without a conversation. Name your machines once, as ssh knows them, in \`boardHosts\`: \
\`/settings boardHosts\`.`

export const fleet: Script = {
  name: 'tour fleet',
  words: ['fleet', 'board', 'machines'],
  about: 'all conversations of all your machines on one list: `/board`',
  calls: [[words]],
}

/** The tour of the fleet: the board with two made-up machines, one of which asks for a yes, a race, and a move. */
import type { Script } from '../script/script.ts'

const words = `Many agents on many tasks, on several machines.

**One list of all**

1. \`/board\` opens it, and so does Ctrl+A in the list of conversations (Alt+A). What waits for you is on top.
2. The demo makes two machines up. On \`ssh:build\` an agent wants to release a version: read all of it, PageDown shows more, and answer \
with **y** or **n**; **w** refuses with words. \`ssh:arm\` is out of reach: its row is grey, and nothing waits for it.
3. **f** keeps only the rows with some words, **h** shows the machines, **?** all keys, **Esc** comes back here.

**One prompt, several agents**

4. \`/race claude,codex,zot:qwen3-coder count graphemes in the parser\` asks first, with what it may cost. Then each works in a git \
worktree of its own, and your check runs in each: **d** shows a diff, **p** takes the work, **x** discards the others. In this demo nothing \
runs and nothing costs anything.

**The same work on another machine**

5. \`/move build\` says what would go to \`ssh:build\` and what would stay, and asks. \`/move back\` brings the work back. In this demo \
nothing is sent.

\`zotui board\` in a shell is the same list without a conversation. Name your machines once, as ssh knows them, in \`boardHosts\`: \
\`/settings boardHosts\`.`

export const fleet: Script = {
  name: 'tour fleet',
  words: ['fleet', 'board', 'machines', 'race'],
  about: 'many agents and machines: `/board`, `/race`, `/move`',
  calls: [[words]],
}

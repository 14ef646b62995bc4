/** The tour of what was said before: the search in all sessions, marks, and the tree of a session. */
import type { Script } from '../script/script.ts'

const opening = `Nobody remembers in which conversation it was. For as long as this demo runs I keep ours, and with it a few made-up ones of \
the last days: of two agents, in two folders. Nothing of them stays when you leave.

1. \`/find deploy\` searches all of them as you type. **Enter** shows a place in its session, **Esc** comes back. **Tab** narrows it to \
prompts, answers or commands, and words such as \`agent:claude\`, \`folder:shop\` or \`failed:\` do so, too.
2. In \`/find emoji\`, **Alt+Enter** goes on from the place: it resumes the session, or forks it after that turn. **Ctrl+Y** takes the \
passage into your prompt.
3. **Ctrl+O** opens the viewer. There \`m\` marks a place with your words, and \`/marks\` lists the marks of all sessions.
4. \`/tree\` shows what came of a session: forks, side questions, spawned conversations. Resume "Why does the parser count an emoji as \
two?" with \`/resume\`, then look at its tree. \`g\` goes on from there.`

export const find: Script = {
  name: 'tour find',
  words: ['find', 'search', 'marks', 'tree'],
  about: 'finding what was said before: `/find`, `/marks`, `/tree`',
  calls: [[{ text: opening, pace: 12 }]],
}

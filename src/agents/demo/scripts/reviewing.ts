/** The tour of comments on changes: an edit to comment on, and an answer to the comments. */
import type { Script } from '../script/script.ts'
import { edit } from '../script/tools.ts'
import { parser, parserEdits } from './files.ts'

const opening = 'I change two places of a file, so that there is something to say about it:'

const ending = `Now it is your turn. Type \`/diff\` and press **Enter** on the file:

- **i** writes a comment on the line of the cursor; **V** and the arrows take several lines
- **Enter** keeps it, **Esc** leaves it unfinished; **)** and **(** go from one comment to the next
- **x** on a comment deletes it, **z** brings it back
- **S** puts all comments into the prompt, where you read and send them

After my turn each comment says what became of its lines. In this demo no file is changed, so they stay as they are.`

export const reviewing: Script = {
  name: 'tour review',
  words: ['comments'],
  about: 'comments on my changes, which go back to me',
  answersItself: true,
  calls: [[opening, { tool: edit('src/parser.ts', parser, parserEdits) }], [ending]],
}

const answer = `Thank you for reading so closely. A real agent would now change those lines, and answer each comment by its mark. \`/diff\` shows \
that they were sent.`

/** Comments that were put into the prompt. */
export const commented: Script = {
  name: 'on the changes',
  words: [],
  about: 'comments on changes',
  unlisted: true,
  calls: [[answer]],
}

/** Scripts about what is around the conversation: extensions, hooks, vim's keys, a commit. */
import type { Script } from '../script/script.ts'
import { bash } from '../script/tools.ts'

const review = `## Review

- **One** mistake in \`src/parser.ts\`: the length counts UTF-16 units.
- Nothing else.

| file | remarks |
| --- | --- |
| \`src/parser.ts\` | 1 |
| \`src/lexer.ts\` | 0 |
`

export const extensions: Script = {
  name: 'extensions',
  words: ['extension', 'plugin', 'plugins'],
  about: 'notes and text that extensions of zot show',
  calls: [
    [
      { extension: { type: 'ext_notify', extension: 'lint', level: 'info', message: 'read 14 files' } },
      { pause: 600 },
      { extension: { type: 'ext_notify', extension: 'lint', level: 'warn', message: 'one line is too long' } },
      { pause: 600 },
      { extension: { type: 'ext_display', extension: 'review', text: review } },
      { pause: 600 },
      'The extension `lint` left two notes, and `review` showed text, which is Markdown. Both are made up: in the demo no extension runs.',
    ],
  ],
}

export const hooks: Script = {
  name: 'hooks',
  words: ['hook'],
  about: 'commands of yours that run on events, to try here',
  calls: [
    [
      {
        pace: 12,
        text: `A hook is a command of yours that runs on an event. Hooks work in the demo, too. Put this into \
\`~/.config/zotui/config.json\` and start zotui again:

\`\`\`json
{
  "hooks": {
    "UserPromptSubmit": [{ "hooks": [{ "command": "if grep -q password; then echo 'no passwords' >&2; exit 2; fi" }] }],
    "PreToolUse": [{ "matcher": "bash", "hooks": [{ "command": "echo 'not today' >&2; exit 2" }] }]
  }
}
\`\`\`

- A prompt with the word \`password\` is then blocked and returns to the composer.
- The commands of \`bash\` are refused with your reason.
- \`/hooks\` lists both with their last results, and \`/hooks off\` turns them off.`,
      },
    ],
  ],
}

export const vim: Script = {
  name: 'vim',
  words: [],
  about: "vim's keys in the composer",
  calls: [
    [
      {
        pace: 12,
        text: `\`/vim\` turns vim's keys in the composer on and off. Then type a few lines (**Ctrl+J** breaks a line) and try:

- **Esc** for normal mode, \`i\` to insert again; the status line names the mode
- \`ciw\`, \`dt.\`, \`3dw\`, \`>ip\`; \`.\` repeats and \`u\` undoes
- \`V\` and \`y\`, then \`p\`; \`"+y\` copies to the clipboard
- \`j\` and \`k\` in lists`,
      },
    ],
  ],
}

export const commit: Script = {
  name: 'commit',
  words: ['message of a commit', 'commits'],
  about: 'a commit message, as `/commit` asks for it',
  calls: [
    [
      'I look at what is staged.',
      {
        tool: bash('git diff --cached --stat', [
          [200, ' src/parser.ts | 4 ++--\n 1 file changed, 2 insertions(+), 2 deletions(-)\n'],
        ]),
      },
    ],
    [
      `Nothing was read: this message is part of the demo. After \`/commit\` it is in the composer, where you edit it before git gets it.

\`\`\`
Count graphemes in the parser

The length counted UTF-16 units, so an emoji was two.
\`\`\`
`,
    ],
  ],
}

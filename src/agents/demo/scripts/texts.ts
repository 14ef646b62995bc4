/** Scripts that are words only, or nearly. */
import type { Script } from '../script/script.ts'
import { bash } from '../script/tools.ts'

export const unicode: Script = {
  name: 'unicode',
  words: ['emoji', 'cjk', 'wide'],
  about: 'wide, joined, combined and right-to-left characters',
  calls: [
    [
      {
        // Pieces of one code point: graphemes arrive in parts, as they do from a model.
        size: 1,
        pace: 12,
        text: `| what | sample | columns |
| :--- | :--- | ---: |
| Japanese | 日本語の文章 | 12 |
| Chinese | 中文，全角标点。 | 16 |
| Korean | 한국어 | 6 |
| joined | 👩‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 | 8 |
| flags | 🇨🇭 🇯🇵 🇧🇷 | 8 |
| keycap | 1️⃣ | 2 |
| combined | e\u0301 a\u0308 Z\u0351\u036b | 5 |
| Hebrew | שלום עולם | 9 |
| Arabic | مرحبا بالعالم | 13 |
| Thai | สวัสดี | 4 |
| Hindi | नमस्ते | 3 |

文字は一つずつ、ゆっくり届きます。それでも行は正しい幅で折り返され、表の列はそろったままでなければなりません。
`,
      },
    ],
  ],
}

/** Sequences that no terminal must be sent, made harmless even where they would get through. */
const escapes = [
  '\u001b]52;c;ZGVtbw==\u0007',
  '\u001b]0;a title of mine\u0007',
  '\u001b[2J\u001b[3J\u001b[H',
  '\u001b[?1049h',
  '\u001b]8;;https://example.com\u0007link\u001b]8;;\u0007',
  '\u001bP+q544e\u001b\\',
  '\u009b31m',
].join('|')

export const hostile: Script = {
  name: 'hostile',
  words: ['escape', 'osc', 'injection'],
  about: 'escape sequences and invisible controls in text and in output: none may take effect',
  calls: [
    [
      `Between the bars stand sequences that would fill your clipboard, set a title, clear the screen, leave it, ` +
        `make a link, ask the terminal, and turn it red: |${escapes}|\n\n` +
        'A name that runs backwards: `invoice\u202Efdp.exe`, an isolate \u2066here\u2069, nothing\u200Bat\u200Ball, ' +
        'a bell \u0007, a backspace x\b, a null \u0000 and a carriage return\rover it.\n\n```sh\necho \u001b[8mhidden\u001b[0m\n```\n',
      {
        tool: bash('cat strange.txt \u202E# txt.egnarts', [
          [100, `\u001b[31mred is allowed\u001b[0m, ${escapes} is not\n`],
          [100, '\u001b[1A\u001b[2Kthis would erase the line above\n'],
          [100, 'half a sequence, and the end: \u001b['],
        ]),
      },
    ],
    ['If your screen, your clipboard and your window title are as they were, all is well.'],
  ],
}

export const question: Script = {
  name: 'question',
  words: ['ask', 'questions'],
  about: 'I ask you something back',
  calls: [
    [
      'Before I pretend to reformat everything, one question:\n\n1. `tabs`\n2. `spaces`\n\nWhich of the two shall it be?',
    ],
  ],
}

export const answered: Script = {
  name: 'tabs',
  words: ['spaces'],
  about: 'an answer to `question`',
  unlisted: true,
  calls: [['A good choice, as the other would have been. Nothing was reformatted.']],
}

export const compacting: Script = {
  name: 'compact',
  words: ['compaction', 'context', 'memory', 'summary', 'summarize'],
  about: 'how a long conversation is shortened',
  calls: [
    [
      `The model reads the whole conversation again with every answer. When that grows large, **Alt+K** or \`/compact\` \
replaces it with a summary, and the last four messages stay as they are.

Try it: the status line shows how much of the context is used. It needs more than four messages, which a \`tour\` makes at \
once; with fewer the agent says that there is nothing to compact. \`/clear\` forgets everything instead.`,
    ],
  ],
}

export const switching: Script = {
  name: 'model',
  words: ['models', 'reasoning', 'thinking', 'switch'],
  about: 'how to switch the model and its reasoning',
  calls: [
    [
      `You are talking to **{model}**, and its reasoning is *{reasoning}*. **Alt+P** or \`/model\` shows the others, \
**Alt+T** or \`/reasoning\` sets how long it thinks.

| model | context | reasoning |
| :--- | ---: | :--- |
| demo-large | 200k | yes |
| demo-small | 32k | no |

Both are the same script. They differ in price and in how fast their context fills.`,
    ],
  ],
}

export const images: Script = {
  name: 'image',
  words: ['images', 'picture', 'screenshot', 'photo'],
  about: 'what happens to an attached image',
  calls: [
    ['An image you attach goes to the model with the prompt. I am a script and have no eyes: thank you all the same.'],
  ],
}

const MENTIONING = `What a prompt mentions goes along with it. Try these where you started zotui:

- \`@\` lists the files of the folder. **Enter** puts one into the prompt, with the tokens that it takes; after its name, \`:10-40\` takes these \
lines only. A folder with its slash, such as \`@src/\`, is a list of its files.
- \`@#\` searches symbols instead, with a tags file or Universal Ctags.
- The line below your prompt says what was sent. **Ctrl+O** shows it in full.
- \`#\` on an empty line begins a note for \`AGENTS.md\`; **Esc** makes it a prompt. \`/memory\` lists what an agent loads on its own.`

export const mentions: Script = {
  name: 'mentions',
  words: ['mention', 'attach'],
  about: 'files in a prompt, and notes for the project',
  calls: [[{ text: MENTIONING, pace: 12 }]],
}

export const thanks: Script = {
  name: 'thanks',
  words: ['thank', 'bye', 'great'],
  about: 'a polite word',
  unlisted: true,
  calls: [['You are welcome. **Ctrl+D** on an empty line leaves.']],
}

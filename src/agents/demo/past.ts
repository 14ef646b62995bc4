/** Made-up earlier sessions of the demo, for its lists and its search: pure data, loaded when somebody looks for sessions. */
import { contextDiff } from './script/tool-text.ts'
import { parser, parserEdits } from './scripts/files.ts'

export type PastSession = {
  id: string
  agent: string
  model: string
  /** Null for the folder of the demo itself. */
  folder: string | null
  /** Hours before now. */
  hoursAgo: number
  /** The session that it is a fork of, and the turns of that which it begins with. */
  parent?: { id: string; turn: number }
  turns: readonly PastTurn[]
  /** What was asked beside it. */
  side?: { question: string; answer: string }
  /** The session of a conversation that was begun from it. */
  spawned?: string
}

export type PastTurn = { prompt: string; calls: readonly PastCall[]; answer: string }

export type PastCall = { name: string; args: Readonly<Record<string, string>>; result: string; failed?: boolean }

const bash = (command: string, output: string, exit = 0): PastCall => ({
  name: 'bash',
  args: { command },
  result: `$ ${command}\n\n${output}\n\n[exit ${exit}]  Took 1.4s`,
  failed: exit !== 0,
})

const zot = { agent: 'zot', model: 'claude-sonnet-4-5', folder: null } as const
const claude = {
  agent: 'claude',
  model: 'claude-opus-4-5',
  folder: '/home/me/src/shop',
} as const

const askedWhy: PastTurn = {
  prompt: 'Why does the parser count an emoji as two?',
  calls: [{ name: 'read', args: { path: 'src/parser.ts' }, result: parser }],
  answer:
    '`length` counts UTF-16 units. Most emoji are two of them, and a family of four is eleven. People see graphemes: `Intl.Segmenter` counts those.',
}

export const pastSessions: readonly PastSession[] = [
  {
    ...zot,
    id: 'made-up-emoji',
    hoursAgo: 150,
    turns: [
      askedWhy,
      {
        prompt: 'Count graphemes, and add a test.',
        calls: [
          { name: 'edit', args: { path: 'src/parser.ts' }, result: contextDiff(parser, parserEdits) },
          bash('npm test -- parser', 'FAIL test/parser.test.ts\n  expected 3, got 2', 1),
          bash('npm test -- parser', '28 passed'),
        ],
        answer:
          'The length of a line is right now for all scripts. The first run failed because the test had an old expectation.',
      },
      {
        prompt: 'Is it slower?',
        calls: [bash('npm run bench', 'parse 10 MB   before 412 ms   after 448 ms')],
        answer: 'A little: 9 percent for 10 MB. The segmenter is made once, when the module loads.',
      },
    ],
    side: {
      question: 'what is a grapheme?',
      answer: 'What a person sees as one character: a letter with its marks, or an emoji.',
    },
  },
  {
    ...zot,
    id: 'made-up-emoji-fork',
    hoursAgo: 148,
    parent: { id: 'made-up-emoji', turn: 1 },
    turns: [
      askedWhy,
      {
        prompt: 'Do it without Intl.Segmenter, for old browsers.',
        calls: [bash('npm view grapheme-splitter version', '1.0.4')],
        answer: 'There is a package for it, of 230 kB. I would not: all browsers since 2024 have the segmenter.',
      },
    ],
  },
  {
    ...claude,
    id: 'made-up-deploy',
    hoursAgo: 52,
    turns: [
      {
        prompt: 'The deploy fails since this morning. Find out why.',
        calls: [
          bash(
            'npm run deploy',
            'Error: connect ECONNREFUSED 10.0.0.7:5432\n    at migrate (scripts/migrate.ts:12:9)',
            1,
          ),
          bash('git log --oneline -3 -- infra', '4f1c2aa Move the database to its own network'),
        ],
        answer:
          'The deploy runs the migrations, and the database moved to its own network yesterday (4f1c2aa). The runner may not reach port 5432 there.',
      },
      {
        prompt: 'Let the runner in, and only the runner.',
        calls: [
          {
            name: 'edit',
            args: { path: 'infra/network.tf' },
            result: ' resource "rule" "database" {\n   port = 5432\n-  from = [app]\n+  from = [app, runner]\n }\n ',
          },
          bash('npm run deploy', '3 migrations\ndeployed in 41s'),
        ],
        answer: 'Deployed. The rule names the runner alone, so nothing else got in.',
      },
    ],
    spawned: 'made-up-notes',
  },
  {
    ...claude,
    id: 'made-up-notes',
    hoursAgo: 51,
    turns: [
      {
        prompt: 'Write the release notes of 2.4 from the log.',
        calls: [bash('git log --format=%s v2.3..', 'Move the database to its own network\nThe cart keeps its coupons')],
        answer:
          '## 2.4\n\n- The cart keeps its coupons.\n- The database has its own network: a deploy needs the rule of the runner.',
      },
    ],
  },
]

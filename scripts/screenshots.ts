/**
 * Makes the pictures of the documentation in `docs/screenshots`: the real program with the demo agent on a terminal
 * emulator. The program's clock is held (`held-clock.ts`), so a second run gives the same files. Names as arguments make only those.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { installStageAgent } from './stage-agent.ts'
import { toFilm, type Frame } from './film.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import { prepareFound, prepareSessions } from './stage-sessions.ts'
import { dark, light, toSvg, type Palette } from './svg.ts'

/** Milliseconds of the film: between two pictures, for a letter that is typed, and for what is to be read. */
const STEP = 120
const LETTER = 70
const READING = 1500
/** The film waits at most that many pictures for a text. */
const MOST_STEPS = 200

type Scene = {
  /** The name of its files. */
  name: string
  title: string
  columns: number
  rows: number
  args?: readonly string[]
  prepare?: StageOptions['prepare']
}

type Shot = Scene & { play: (stage: Stage) => Promise<void> }

export const shots: readonly Shot[] = [
  shot('start', 'zotui as it starts', 100, 12, async () => {}),
  shot('tools', 'zotui while a command runs', 100, 30, async stage => {
    await say(stage, 'tour')
    await stage.see('rendering chunks (18)')
  }),
  shot('tour', 'zotui after a turn', 100, 36, async stage => {
    await takeTour(stage)
  }),
  shot('board', 'The board of all machines', 130, 24, async stage => {
    await say(stage, '/board')
    await stage.see('waits for you 1')
    await stage.see('n refuses')
  }),
  shot('race', 'A race of three agents: two checks have passed, one has failed', 100, 26, async stage => {
    await say(stage, '/race claude,codex,zot:qwen3-coder Count graphemes instead of UTF-16 units')
    await stage.see('Begin the race')
    await stage.press('down', 'enter')
    await stage.see('check exit 1')
    await stage.gone('check runs')
    await stage.see('check ok')
    await stage.press('down')
  }),
  shot('move', 'What a conversation takes along to another machine, and what stays', 100, 24, async stage => {
    await say(stage, '/move build')
    await stage.see('Stay here')
  }),
  {
    ...shot('permissions', 'zotui asks before a command runs', 100, 26, async stage => {
      await say(stage, 'permissions')
      await stage.see('1 of 3')
      await stage.see('› 1')
    }),
    prepare: () => ({ ZOTUI_PERMISSIONS: 'ask' }),
  },
  {
    ...shot('sandbox-host', 'A command in the sandbox waits for a connection', 100, 22, async stage => {
      await say(stage, 'sandbox')
      await stage.see('Connect to registry.npmjs.org:443?')
      await stage.see('› 1')
    }),
    prepare: () => ({ ZOTUI_PERMISSIONS: 'contained' }),
  },
  {
    ...shot('sandbox-outside', 'A command that failed in the sandbox may run outside', 100, 26, async stage => {
      await say(stage, 'sandbox')
      await stage.see('› 1')
      await stage.press('y')
      await stage.see('Run it again outside the sandbox?')
      await stage.see('› 1')
    }),
    prepare: () => ({ ZOTUI_PERMISSIONS: 'contained' }),
  },
  {
    ...shot('plan', 'A plan in zotui, to accept, change or drop', 100, 30, async stage => {
      await say(stage, 'plan')
      await stage.see('Continue with this plan?')
      await stage.see('› 1')
    }),
    prepare: () => ({ ZOTUI_PERMISSIONS: 'plan' }),
  },
  {
    ...shot('conversations', 'Several conversations in zotui', 100, 30, async stage => {
      await say(stage, 'question')
      await stage.see('14:02')
      await say(stage, '/spawn permissions')
      await stage.see('2?')
      await say(stage, '/spawn slow')
      await stage.see('3◐')
      await stage.press('alt+a')
      await stage.see('goes there')
    }),
    prepare: () => ({ ZOTUI_PERMISSIONS: 'ask' }),
  },
  shot('side-question', 'A side question in zotui, beside the turn that goes on', 100, 30, async stage => {
    await say(stage, 'sleep')
    await stage.see('watching for changes')
    await say(stage, '/btw which model is this?')
    await stage.see('› 3 Close')
  }),
  shot('steering', 'Words to the running turn of zotui: delivered, and on their way', 100, 36, async stage => {
    await say(stage, 'tour steer')
    await stage.see('part-2.test.ts')
    await steerWith(stage, 'only the parser, please')
    await stage.see('Now the other case')
    await stage.see('must not run')
    await steerWith(stage, 'no build yet')
    await stage.see('steered')
    await steerWith(stage, 'and tell me when it is done')
    await stage.see('steers: ')
  }),
  {
    ...shot('running', 'Two subagents and a command beside a turn of zotui; one of them asks', 100, 25, async stage => {
      await say(stage, 'tour running')
      await stage.see('I wait for both')
      await stage.see('How long may')
      await stage.see('› 1')
    }),
    prepare: () => ({ ZOTUI_PERMISSIONS: 'ask' }),
  },
  shot('diff', 'What zotui shows of an edit', 100, 28, async stage => {
    await say(stage, 'edit')
    await stage.see('14:02')
  }),
  shot('viewer', 'The whole conversation in the viewer of zotui', 100, 28, async stage => {
    await takeTour(stage)
    await stage.press('ctrl+o')
    await stage.see('q closes')
    await stage.type('/')
    await stage.type('test')
    await stage.press('enter')
    await stage.see(' for test')
  }),
  shot('changes', 'What a session of zotui changed', 100, 20, async stage => {
    await takeTour(stage)
    await say(stage, '/diff')
    await stage.see('? keys')
    await stage.press('down')
    await stage.press('enter')
    await stage.see('segmenter.segment')
  }),
  shot('comments', 'Comments on the changes of a session in zotui', 100, 24, async stage => {
    await say(stage, 'tour review')
    await stage.see('Now it is your turn')
    await stage.see('14:02')
    await say(stage, '/diff')
    await stage.see('? keys')
    await stage.press('enter')
    await stage.see('segmenter.segment')
    await stage.press('down')
    await stage.type('i')
    await stage.type('Why 256? Say so in the comment above.')
    await stage.press('enter')
    await stage.see('1 comment')
    await stage.type('n')
    await stage.press('down')
    await stage.type('i')
    await stage.type('This counts the rest twice')
    await stage.see('counts the rest twice')
  }),
  shot('usage', 'What was used, in zotui', 100, 30, async stage => {
    await takeTour(stage)
    await say(stage, '/usage')
    await stage.see('? keys')
    await stage.see('1 of ')
    for (let row = 0; row < 4; row += 1) await stage.press('down')
  }),
  shot('context', 'What fills the context window, in zotui', 100, 29, async stage => {
    await takeTour(stage)
    await say(stage, '/context')
    await stage.pass(1000)
  }),
  shot('commands', 'The slash commands of zotui', 80, 18, async stage => stage.type('/')),
  shot('models', 'Choosing a model in zotui', 80, 14, async stage => stage.press('alt+p')),
  {
    ...shot('sessions', 'Earlier sessions in zotui', 100, 14, stage => stage.see('parser test')),
    args: ['--resume'],
    prepare: home => prepareSessions(home, Date.parse('2026-01-05T14:02:00Z')),
  },
  {
    ...shot('find', 'What was said in all sessions of zotui', 100, 20, async stage => {
      await stage.see('Enter sends')
      await say(stage, '/find')
      await stage.see('Type what was said')
      await stage.type('deploy')
      await stage.see('12 found')
      await stage.press('down')
    }),
    args: [],
    prepare: home => prepareFound(home, Date.parse('2026-01-05T14:02:00Z')),
  },
  shot('tree', 'What came of a session of zotui', 100, 14, async stage => {
    await say(stage, '/find slower')
    await stage.see('Is it slower?')
    await stage.press('alt+enter')
    await stage.see('Resumed the session: 3 turns')
    await say(stage, '/tree')
    await stage.see('side question')
  }),
  shot('error', 'A refused key in zotui', 80, 16, async stage => {
    await say(stage, 'refused')
    await stage.see('Esc cancels')
  }),
  agentShot('agent', 'Another agent in zotui: its plan, and its question before an edit', 100, 38, askEdit),
  agentShot('agent-narrow', 'Another agent in zotui, in 40 columns', 40, 20, askEdit),
  agentShot('agent-options', 'What another agent lets the user set, in zotui', 80, 14, async stage => {
    await say(stage, '/options')
    await stage.see('options of')
  }),
  shot('narrow', 'zotui in 40 columns', 40, 20, async stage => {
    await say(stage, 'edit')
    await stage.see('14:02')
  }),
]

/** The moving picture of the README. */
export const film: Scene = {
  name: 'film',
  title:
    'zotui at work: a prompt, an edit, a prompt that waits in the queue, a question before a command, and what has changed',
  columns: 92,
  rows: 30,
  prepare: () => ({ ZOTUI_PERMISSIONS: 'edits' }),
}

if (import.meta.main) {
  const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
  const names = process.argv.slice(2)
  const isWanted = ({ name }: Scene): boolean => names.length === 0 || names.includes(name)
  if (names.length === 0) for (const file of readdirSync(folder)) if (file.endsWith('.svg')) rmSync(folder + file)
  for (const [background, palette] of Object.entries({ dark, light })) {
    const write = ({ name }: Scene, svg: string): void => writeFileSync(`${folder}${name}-${background}.svg`, svg)
    for (const each of shots.filter(isWanted)) {
      const picture = await onStage(each, palette, async stage => {
        await each.play(stage)
        return stage.picture()
      })
      write(each, toSvg(picture, palette, each.title))
      console.log(`${each.name}, ${background}`)
    }
    if (!isWanted(film)) continue
    const { frames, still } = await onStage(film, palette, shoot)
    write(film, toFilm(frames, palette, film.title, still))
  }
}

async function onStage<T>(
  { columns, rows, args = ['--demo'], prepare }: Scene,
  colors: Palette,
  play: (stage: Stage) => Promise<T>,
) {
  const stage = await openStage({ columns, rows, args, colors, prepare })
  try {
    return await play(stage)
  } finally {
    stage.end()
  }
}

/** Plays the scenes of the film, and takes what is on the screen at each step of the clock. */
async function shoot(stage: Stage): Promise<{ frames: Frame[]; still: number }> {
  const frames: Frame[] = []
  const take = (ms: number): void => void frames.push({ picture: stage.picture(), ms })
  const screen = (): string =>
    stage
      .picture()
      .rows.map(cells => cells.map(cell => cell.text).join(''))
      .join('\n')
  const step = async (): Promise<void> => {
    await stage.pass(STEP)
    take(STEP)
  }
  const until = async (text: string): Promise<void> => {
    for (let steps = 0; !screen().includes(text); steps += 1) {
      if (steps > MOST_STEPS) throw new Error(`the film waited for ${text}:\n${screen()}`)
      await step()
    }
  }
  const write = async (text: string): Promise<void> => {
    for (const letter of text) {
      await stage.type(letter)
      take(LETTER)
    }
    await stage.press('enter')
    take(LETTER)
  }
  const answer = async (key: string): Promise<void> => {
    // A question takes keys only after a moment without any.
    for (let passed = 0; passed < READING; passed += STEP) await step()
    await stage.type(key)
    take(STEP)
  }
  take(1000)
  await write('Fix the length of emoji in the parser')
  await until('UTF-16')
  await write('Then run the tests')
  await until('› 1')
  const still = frames.length
  await answer('y')
  await until('49 passed')
  await until('› 1')
  await answer('y')
  await until('as planned')
  await until('14:02')
  take(READING)
  await write('/diff')
  await until('? keys')
  await stage.press('enter')
  await stage.pass(STEP)
  take(2 * READING)
  return { frames, still }
}

function shot(name: string, title: string, columns: number, rows: number, play: Shot['play']): Shot {
  return { name, title, columns, rows, play }
}

function agentShot(...args: Parameters<typeof shot>): Shot {
  return { ...shot(...args), args: ['--agent', 'my-agent'], prepare: installStageAgent }
}

async function askEdit(stage: Stage): Promise<void> {
  await say(stage, 'fix the failing test in parser.ts')
  await stage.see('› 1')
}

async function say(stage: Stage, text: string): Promise<void> {
  await stage.type(text)
  await stage.press('enter')
}

async function steerWith(stage: Stage, text: string): Promise<void> {
  await stage.type(text)
  await stage.press('alt+s')
}

/** All of the demo's tour, to the end of its turn. */
async function takeTour(stage: Stage): Promise<void> {
  await say(stage, 'tour')
  await stage.see('start zotui again.')
  await stage.see('14:02')
}

/**
 * Makes the pictures of the documentation in `docs/screenshots`: the real program with the demo agent on a terminal
 * emulator. The program's clock is held (`held-clock.ts`), so a second run gives the same files.
 */
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { installStageAgent } from './stage-agent.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import { prepareSessions } from './stage-sessions.ts'
import { dark, light, toSvg } from './svg.ts'

type Shot = {
  /** The name of its files. */
  name: string
  title: string
  columns: number
  rows: number
  play: (stage: Stage) => Promise<void>
  args?: readonly string[]
  prepare?: StageOptions['prepare']
}

const shots: readonly Shot[] = [
  shot('start', 'zotui as it starts', 100, 12, async () => {}),
  shot('tools', 'zotui while a command runs', 100, 30, async stage => {
    await say(stage, 'tour')
    await stage.see('rendering chunks (18)')
  }),
  shot('tour', 'zotui after a turn', 100, 36, async stage => {
    await takeTour(stage)
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
    await stage.see('1 of ')
  }),
  shot('changes', 'What a session of zotui changed', 100, 20, async stage => {
    await takeTour(stage)
    await say(stage, '/diff')
    await stage.see('? keys')
    await stage.press('down')
    await stage.press('enter')
    await stage.see('segmenter.segment')
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

const folder = fileURLToPath(new URL('../docs/screenshots/', import.meta.url))
for (const file of readdirSync(folder)) if (file.endsWith('.svg')) rmSync(folder + file)
for (const each of shots) {
  for (const [background, palette] of Object.entries({ dark, light })) {
    const { columns, rows, args = ['--demo'], prepare } = each
    const stage = await openStage({ columns, rows, args, colors: palette, prepare })
    try {
      await each.play(stage)
      writeFileSync(`${folder}${each.name}-${background}.svg`, toSvg(stage.picture(), palette, each.title))
    } finally {
      stage.end()
    }
  }
  console.log(each.name)
}

function shot(name: string, title: string, columns: number, rows: number, play: Shot['play']): Shot {
  return { name, title, columns, rows, play }
}

function agentShot(...args: Parameters<typeof shot>): Shot {
  return { ...shot(...args), args: ['--agent', 'my-agent'], prepare: installStageAgent }
}

async function askEdit(stage: Stage): Promise<void> {
  await say(stage, 'fix the failing test in parser.ts')
  // The same moment in every run, however long the agent took.
  await stage.see('12s')
}

async function say(stage: Stage, text: string): Promise<void> {
  await stage.type(text)
  await stage.press('enter')
}

/** All of the demo's tour, to the end of its turn. */
async function takeTour(stage: Stage): Promise<void> {
  await say(stage, 'tour')
  await stage.see('start zotui again.')
  await stage.see('14:02')
}

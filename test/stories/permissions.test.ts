/** Calls that are asked before they run, with the demo agent, which holds its calls as any guarded agent does. */
import { describe, test } from 'vitest'
import { open, share, type OpenOptions, type Screen } from '../helpers/screen.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { clearDraft, expectDraft, quick, send, startAfresh } from './stage.ts'

/** The demo in a mode in which it asks. */
async function asking(mode = 'ask', options: OpenOptions = {}): Promise<Screen> {
  const zotui = await open({ args: ['--demo'], ...options, env: { ...quick, ZOTUI_PERMISSIONS: mode } })
  await zotui.see('? all keys')
  return zotui
}

async function say(zotui: Screen, words: string): Promise<void> {
  await zotui.type(words)
  await zotui.press('enter')
}

/** For tests about modes: each begins in mode plan. */
const planning = share(
  () => asking('plan'),
  async zotui => {
    await startAfresh(zotui)
    await send(zotui, '/plan')
    await zotui.see(/Mode plan: reads only|Plan mode is on\./)
    // A key takes the message away.
    await zotui.press('x', 'backspace')
    await zotui.see('plan mode')
  },
)

async function inMode(mode: string): Promise<Screen> {
  const zotui = await planning()
  await send(zotui, `/permissions ${mode}`)
  await zotui.see(`Mode ${mode}`)
  return zotui
}

/** Waits until the open question takes keys: only then the chosen answer has its mark. */
async function armed(zotui: Screen, title: string | RegExp): Promise<void> {
  await zotui.see(title)
  await zotui.see(/› \d/)
}

describe('A question', () => {
  const demo = share(
    () => asking(),
    async zotui => {
      if (zotui.screen().some(row => /› \d/.test(row))) await zotui.press('esc')
      // The turn is over.
      await zotui.see(turnEnd)
      await startAfresh(zotui)
    },
  )

  test('shows what will run, and y lets it run once', async () => {
    const zotui = await demo()
    await say(zotui, 'bash')
    await armed(zotui, 'Run this command?')
    await zotui.see('npm test')
    await zotui.type('y')
    await zotui.see('Tests  49 passed')
    await armed(zotui, 'npm install --no-fund')
  })

  test('is answered by Enter on the chosen row, and by the number of a row', async () => {
    const zotui = await demo()
    await say(zotui, 'write')
    await armed(zotui, 'Create hello.html?')
    await zotui.press('down', 'up', 'enter')
    await zotui.see('in a manner of speaking')
    await say(zotui, 'write')
    await armed(zotui, 'Create hello.html?')
    await zotui.type('3')
    await zotui.see('refused by you')
  })

  test('takes no key that was typed for the draft, and gives the draft back', async () => {
    const zotui = await demo()
    await say(zotui, 'write')
    await zotui.see('Create hello.html?')
    await zotui.type('nay, yes')
    await zotui.see(/^▌ nay, yes$/m)
    await zotui.see(/Enter queues your text, no answer {3}Ctrl\+S sets it aside {3}Esc no, and stop/)
    // With a text there, every letter belongs to it.
    for (const letter of ' now') await zotui.type(letter)
    await expectDraft(zotui, 'nay, yes now')
    await zotui.press('ctrl+s')
    await armed(zotui, 'Create hello.html?')
    await zotui.type('n')
    await zotui.see('refused by you')
    await zotui.press('ctrl+s')
    await expectDraft(zotui, 'nay, yes now')
  })

  test('is never answered by Enter while a text is typed: it queues the text', async () => {
    const zotui = await demo()
    await say(zotui, 'write')
    await armed(zotui, 'Create hello.html?')
    await zotui.type('so')
    await zotui.see('Enter queues your text, no answer')
    await zotui.press('enter')
    await zotui.see(/1 queued.*"so"/)
    await armed(zotui, 'Create hello.html?')
    await zotui.type('y')
    await zotui.see('in a manner of speaking')
    await zotui.gone('queued')
    await zotui.see(/▌ so/)
  })

  test('has every answer on the screen, at 20 columns and 8 rows too', async () => {
    const zotui = await asking()
    await say(zotui, 'bash')
    await armed(zotui, 'Run this command?')
    for (const row of [/1 Yes +y/, /2 Yes, for this session +a/, /3 No +n/, /4 Yes, for more or for longer +m/])
      await zotui.see(row)
    for (const row of [/5 No, and say what to do +w/, /6 Edit the command first +e/, /7 Yes to all 2 +Y/])
      await zotui.see(row)
    for (const row of [/8 No to all 2 +N/, /9 No, and stop the turn +Esc/]) await zotui.see(row)
    zotui.resize(20, 8)
    await zotui.see(/npm test[^]*›y yes a session *\n n no m more w say *\n e edit Y yes all *\n N no all Esc stop/)
    await zotui.type('m')
    await zotui.see(/this command|npm test …[^]*all bash !/)
    await zotui.press('esc')
    await zotui.see('›y yes')
    await zotui.type('y')
    zotui.resize(80, 24)
    await zotui.see('Tests  49 passed')
  })

  test('is answered with text for the agent', async () => {
    const zotui = await demo()
    await say(zotui, 'write')
    await armed(zotui, 'Create hello.html?')
    await zotui.type('w')
    await zotui.see('No, and tell the agent:')
    await zotui.type('call it index.html')
    await zotui.press('enter')
    await zotui.see('refused by you')
    await zotui.see('call it index.html')
  })

  test('lets the user edit the command, and asks again with what was written', async () => {
    const zotui = await demo()
    await say(zotui, 'sleep')
    await armed(zotui, 'Run this command?')
    await zotui.type('e')
    await zotui.see('Run this instead:')
    await zotui.press('ctrl+u')
    await zotui.type('rm -rf dist')
    await zotui.press('enter')
    await zotui.see('deletes folders')
    await zotui.see('Yes, run what you wrote')
    await zotui.type('y')
    await zotui.see('ran rm -rf dist')
    await zotui.press('esc')
    await zotui.see('Stopped')
  })

  test('remembers with a that exactly this command is allowed for this session', async () => {
    const zotui = await asking()
    await say(zotui, 'bash')
    await armed(zotui, 'Run this command?')
    await zotui.see('npm test')
    await zotui.type('a')
    await armed(zotui, 'npm install --no-fund')
    await zotui.press('esc')
    await zotui.see('Stopped')
    await say(zotui, 'bash')
    await zotui.see('Tests  49 passed')
    await armed(zotui, 'npm install --no-fund')
    await zotui.press('esc')
    await say(zotui, '/permissions')
    await zotui.see(/Bash\(=npm test\).*this session/)
  })

  test('remembers what is allowed beyond that for this session, also for the calls that wait', async () => {
    const zotui = await asking()
    await say(zotui, 'bash')
    await armed(zotui, 'Run this command?')
    await zotui.type('4')
    await zotui.see('Allow what, and for how long?')
    await zotui.see('Commands that begin with npm test')
    await zotui.press('down')
    await zotui.see('! it matches anything: every command runs without asking')
    await zotui.press('enter')
    await zotui.see('Two went well')
    await say(zotui, '/permissions')
    await zotui.see('this session')
  })

  test('about several calls at once is answered for all of them', async () => {
    const zotui = await demo()
    await say(zotui, 'permissions')
    await armed(zotui, '1 of 3')
    await zotui.press('right')
    await zotui.see('2 of 3')
    await zotui.see('src/parser.ts')
    await zotui.type('N')
    await armed(zotui, '⟦U+202E⟧')
    await zotui.see('NODE_ENV=production')
    await zotui.type('y')
    await zotui.see('Nothing was run, changed or pushed')
  })

  test('scrolls what does not fit', async () => {
    const zotui = await demo()
    await say(zotui, 'write')
    await armed(zotui, 'PageDown shows them')
    await zotui.press('pagedown', 'pagedown', 'pagedown')
    await zotui.see('</html>')
    await zotui.press('pageup', 'pageup', 'pageup')
    await zotui.see('doctype html')
  })

  test('is not answered by a paste, which goes into the draft, and stays under the viewer and through a resize', async () => {
    const zotui = await inMode('ask')
    await say(zotui, 'permissions')
    await armed(zotui, '1 of 3')
    await zotui.paste('y\nyes\n')
    await zotui.see(/Enter queues your text/)
    await zotui.see('1 of 3')
    await zotui.press('ctrl+o')
    await zotui.see(/a question waits.*q closes/)
    await zotui.type('q')
    await zotui.see('1 of 3')
    zotui.resize(50, 18)
    await zotui.see(/Run this command\? +mode ask +question 1 of 3/)
    await zotui.press('ctrl+c')
    await zotui.see('Stopped')
    await zotui.see('▌ y')
    await zotui.gone('Run this command?')
    await clearDraft(zotui)
    zotui.resize(80, 24)
  })

  test('waits below an open viewer, and takes no key of the viewer', async () => {
    const zotui = await demo()
    await say(zotui, 'write')
    await zotui.press('ctrl+o')
    await zotui.see('q closes')
    await zotui.see('a question waits')
    await zotui.type('n')
    await zotui.type('q')
    await armed(zotui, 'Create hello.html?')
    await zotui.type('y')
    await zotui.see('in a manner of speaking')
  })

  test('closes with the turn that Esc stops, and its call does not run', async () => {
    const zotui = await demo()
    await say(zotui, 'bash')
    await armed(zotui, 'Run this command?')
    await zotui.press('esc')
    await zotui.see('Stopped')
    await zotui.see('refused by you')
    await zotui.gone('Run this command?')
  })
})

describe('The mode', () => {
  test('is shown, and Shift+Tab switches it: in mode edits a waiting edit runs, and a later one runs without asking', async () => {
    const zotui = await inMode('ask')
    await zotui.press('x', 'backspace')
    await zotui.see(/demo-large {3}(?:\w+ {3})?ask/)
    const written = () => zotui.history().join().split('in a manner of speaking').length
    const before = written()
    await say(zotui, 'write')
    await armed(zotui, 'Create hello.html?')
    await zotui.press('shift+tab')
    await zotui.see('Mode edits: edits files in this folder without asking')
    await zotui.see('in a manner of speaking')
    await say(zotui, 'write')
    await zotui.see('edits allowed')
    await zotui.until('two files', { check: () => written() === before + 2 })
  })

  test('allow needs one confirmation; then /running lists what runs, and ends it without stopping the turn', async () => {
    const zotui = await planning()
    await say(zotui, '/permissions allow')
    await zotui.see('allow everything?')
    await zotui.press('down', 'enter')
    await zotui.see('Mode allow: runs everything without asking')
    await say(zotui, 'write')
    await zotui.see('in a manner of speaking')
    await zotui.see(turnEnd)
    await say(zotui, 'sleep')
    await zotui.see('watching for changes')
    await say(zotui, '/running')
    await zotui.see('runs now')
    await zotui.type('s')
    await zotui.see('Ended npm run dev')
    await zotui.see('The minute is over.')
  })
})

describe('A plan', () => {
  test('refuses the edits of its turn, which the panel says, and is carried out in another mode once accepted', async () => {
    const zotui = await planning()
    await zotui.see('plan mode')
    await say(zotui, 'write')
    await zotui.see('refused: plan mode')
    await say(zotui, 'plan')
    await armed(zotui, 'Continue with this plan?')
    await zotui.type('y')
    await zotui.see('You accepted the plan; the mode is now edits.', { where: 'history' })
    await zotui.see('The plan is carried out')
    await zotui.see('Mode edits')
  })

  test('mode ends with /plan off, in the previous mode, and a second /plan does not end it', async () => {
    const zotui = await inMode('edits')
    await say(zotui, '/plan off')
    await zotui.see('Plan mode is off: the mode is edits.')
    await say(zotui, '/plan')
    await zotui.see('Mode plan: reads only')
    await say(zotui, '/plan')
    await zotui.see('Plan mode is on. /plan off returns to mode edits.')
    await say(zotui, '/plan off')
    await zotui.see('Mode edits')
  })

  test('is changed with a comment, or dropped', async () => {
    const zotui = await inMode('ask')
    await say(zotui, '/plan plan')
    await armed(zotui, 'Continue with this plan?')
    await zotui.type('w')
    await zotui.see('Tell the agent what to change:')
    await zotui.type('plan again')
    await zotui.press('enter')
    await zotui.see('You asked for another plan.', { where: 'history' })
    await armed(zotui, 'Continue with this plan?')
    await zotui.type('n')
    await zotui.see('You rejected the plan.')
    await zotui.see('plan mode')
  })
})

test('A screen reader says what will run, the dangers and the answers', async () => {
  const zotui = await asking('ask', { args: ['--demo', '--screen-reader'], rows: 60 })
  await say(zotui, 'permissions')
  await zotui.see('Run this command? Question 1 of 3')
  await zotui.see('Danger: deletes folders')
  await zotui.see('1. Yes')
  await zotui.see('answer now')
  await zotui.type('N')
  await zotui.see(/NODE_ENV=production[^]*answer now/)
  await zotui.press('enter')
  await zotui.see('Nothing was run, changed or pushed')
})

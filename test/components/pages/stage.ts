/** The pages of a program: opened, read and closed by keys, on an alternate screen that nobody looks at. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { beforeAll } from 'vitest'
import type { PageSource } from '../../../components/pages/alternate-screen.ts'
import { fullKeymap } from '../../../components/pages/keymap.ts'
import type { PageView } from '../../../components/pages/page.ts'
import { createPages, loadPages } from '../../../components/pages/pages.ts'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import type { ControllerOptions } from '../../../src/app/controller-options.ts'
import type { Pages } from '../../../src/app/pages/pages.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { initialState } from '../../../src/state/state.ts'
import type { Sessions } from '../../../src/storage/sessions/sessions.ts'
import { FakeBackend } from '../../app/fake-backend.ts'
import { accepted, answered, answering, ended, says, step, stops, text } from '../../conversation/events.ts'
import { textsOf } from '../../helpers/lines.ts'
import { startup, theme } from '../stage.ts'

/** The project's folder. Several test files share this module and its folder, which goes with that of the run. */
export const folder = mkdtempSync(join(tmpdir(), 'zotui-pages-'))
beforeAll(loadPages)

export const size = { columns: 80, rows: 12 }

/** Lets all that is due come to its end. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
}

type StageOptions = { sessions?: Sessions } & Pick<ControllerOptions, 'openBoard'>

/** A program with a turn that has ended. */
export async function stage({ sessions, openBoard }: StageOptions = {}) {
  const backend = new FakeBackend(() => 0)
  const store = createAppStore(initialState(startup, 0))
  let source: PageSource | null = null
  let changes = 0
  let pages: Pages | null = null
  const screen = {
    show: (shown: PageSource) => void (source = shown),
    changed: () => void (changes += 1),
    leave: () => void (source = null),
  }
  const make = createPages({ store, screen, size, theme: () => theme, keymap: fullKeymap })
  const controller = createController({
    slashCommands,
    pickers: pickerTable,
    permissions: null,
    store,
    backend,
    now: () => 0,
    ...(sessions && { sessions }),
    ...(openBoard && { openBoard }),
    composerWidth: () => 78,
    screenRows: () => 24,
    pages: parts => (pages = make(parts)),
    keymap: fullKeymap,
    redraw: () => undefined,
    onLeave: () => undefined,
    host: {
      folder,
      home: folder,
      env: {},
      lendTerminal: run => run(),
      suspend: async () => undefined,
      platform: process.platform,
    },
  })
  controller.start(null)
  await settled()
  controller.type('go')
  controller.press('enter')
  await settled()
  backend.tell(accepted, step(1), answering, says('An answer.'))
  backend.end(answered(text('An answer.')), stops('end'), ended)
  await settled()
  const view = (): PageView => {
    const shown = source?.page(store.get(), size)
    if (!shown) throw new Error('no page is open')
    return shown
  }
  return {
    controller,
    open: ((name, request) => pages?.open(name, request)) satisfies Pages['open'],
    page: () => store.get().page,
    isOpen: () => source !== null,
    view,
    rows: () => textsOf(view().rows()),
    source: () => source,
    changes: () => changes,
    async press(...keys: readonly string[]) {
      for (const key of keys) {
        controller.press(key)
        await settled()
      }
    },
    async type(letters: string) {
      controller.type(letters)
      await settled()
    },
  }
}

export type Stage = Awaited<ReturnType<typeof stage>>

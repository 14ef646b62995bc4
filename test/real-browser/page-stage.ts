/** The page of the real server in a real Chromium, with conversations that the test makes. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest'
import { buildPage } from '../../scripts/build-page.ts'
import type { Role } from '../../src/published/outside-call.ts'
import { startServer, type ConversationServer, type ServeOptions } from '../../src/serve/server.ts'
import { staticFiles } from '../../src/serve/static-files.ts'
import type { Hub } from '../../src/serve/hub/hub.ts'
import { startChromium } from './chromium.ts'
import { PageHub } from './page-hub.ts'
import { fileURLToPath } from 'node:url'

/** A server, whatever it has of the conversations. */
export type ServerStage = Pick<PageStage, 'server' | 'address'>

export type PageStage = {
  server: ConversationServer
  hub: PageHub
  address: string
  /** Starts the server again on the same port, with another hub. */
  restart: (hub?: PageHub) => Promise<void>
}

export type OpenedPage = {
  page: Page
  context: BrowserContext
  /** The errors of its console and what its policy refused. */
  complaints: string[]
  requests: string[]
}

let browser: Promise<Browser> | undefined
const root = fileURLToPath(new URL('../..', import.meta.url))
const built = mkdtempSync(path.join(tmpdir(), 'zotui-web-'))

export function useBuiltPage(): void {
  beforeAll(async () => {
    await buildPage(root, built)
  })
  afterAll(async () => {
    await (await browser)?.close()
    browser = undefined
  })
}

/** `at`: the address of a tunnel, which shares need. */
export async function pageStage(at: string | null = null): Promise<PageStage> {
  const stateFolder = mkdtempSync(path.join(tmpdir(), 'zotui-serve-'))
  const start = async (hub: PageHub, port: number): Promise<ConversationServer> =>
    startPageServer({ hub, port, at, stateFolder })
  const hub = new PageHub()
  const server = await start(hub, 0)
  const { address } = server.view()
  const stage: PageStage = {
    server,
    hub,
    address,
    async restart(next = new PageHub()) {
      await stage.server.close()
      stage.hub = next
      stage.server = await start(next, Number(new URL(address).port))
    },
  }
  onTestFinished(async () => stage.server.close())
  return stage
}

async function startPageServer(
  options: Pick<ServeOptions, 'hub' | 'port' | 'at' | 'stateFolder'>,
): Promise<ConversationServer> {
  return startServer({
    ...options,
    files: staticFiles(built),
    notifier: null,
    tunnels: () => [],
    version: '0.0.0',
    now: () => Date.now(),
    elapsed: () => performance.now(),
    log: () => undefined,
  })
}

/** A server with this hub. */
export async function serverStage(hub: Hub): Promise<ServerStage> {
  const stateFolder = mkdtempSync(path.join(tmpdir(), 'zotui-serve-'))
  const server = await startPageServer({ hub, port: 0, at: null, stateFolder })
  onTestFinished(async () => server.close())
  return { server, address: server.view().address }
}

/** A browser of its own, which has nothing of the others. */
export async function newBrowser(options: BrowserContextOptions = {}): Promise<OpenedPage> {
  browser ??= startChromium()
  const context = await (await browser).newContext({ viewport: { width: 390, height: 844 }, ...options })
  onTestFinished(async () => context.close())
  const page = await context.newPage()
  const opened: OpenedPage = { page, context, complaints: [], requests: [] }
  page.on('request', request => opened.requests.push(request.url()))
  page.on('console', message => {
    if (message.type() === 'error') opened.complaints.push(message.text())
  })
  page.on('pageerror', error => opened.complaints.push(error.message))
  return opened
}

/** Opens a new link and types a name: the person then sees a number. */
export async function useLink(
  { page }: OpenedPage,
  { server }: ServerStage,
  role: Role = 'steer',
  name = 'Pixel 8',
): Promise<void> {
  server.act({ do: 'pair', role })
  await page.goto(server.view().pairing?.link ?? '')
  await page.getByLabel('The name of this device').fill(name)
  await page.getByRole('button', { name: 'Pair this device' }).click()
}

/** The person at the terminal answers what waits first. */
export async function answerInTerminal({ server }: ServerStage, yes: boolean): Promise<void> {
  await expect.poll(() => server.view().waiting.length).toBeGreaterThan(0)
  server.act({ do: 'answer', id: server.view().waiting[0]?.id ?? '', yes })
}

/** A paired browser, which shows the list. */
export async function pairedPage(
  stage: ServerStage,
  options: BrowserContextOptions & { role?: Role; name?: string } = {},
): Promise<OpenedPage> {
  const { role = 'steer', name = 'Pixel 8', ...context } = options
  const opened = await newBrowser(context)
  await useLink(opened, stage, role, name)
  await answerInTerminal(stage, true)
  await opened.page
    .getByRole('navigation', { name: 'Conversations' })
    .or(opened.page.getByRole('main'))
    .first()
    .waitFor()
  await opened.page.locator('.frame').waitFor()
  return opened
}

/** The only conversation, open in a paired browser. `words` are at its end. */
export async function openConversation(
  stage: PageStage,
  words = 'Now I run the tests again',
  options: BrowserContextOptions & { role?: Role; name?: string } = {},
): Promise<OpenedPage> {
  const opened = await pairedPage(stage, options)
  await opened.page.getByRole('link', { name: /Fix the width/ }).click()
  await opened.page.getByText(words).waitFor()
  return opened
}

export async function expectSeen(locator: Locator): Promise<void> {
  await expect.poll(() => locator.isVisible(), { message: String(locator) }).toBe(true)
}

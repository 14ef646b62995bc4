/** Checks the sandbox: makes boxes, and tries in one what it has to refuse. Quick, and nothing leaves the machine. */
import { existsSync } from 'node:fs'
import { delimiter, dirname } from 'node:path'
import process from 'node:process'
import { messageOf } from '../platform/errors.ts'
import { quotedWord } from '../platform/shell/quoting.ts'
import { runShell } from '../platform/shell/run.ts'
import { createCommandBoxes, type SandboxOptions } from '../sandbox/command-boxes.ts'
import { sandboxFacts } from '../sandbox/facts.ts'
import { workingBoxMaker } from '../sandbox/working-box.ts'
import { finding, type Finding } from './finding.ts'

export type ExaminedSandbox = {
  env: NodeJS.ProcessEnv
  /** The folder that zotui works in. */
  folder: string
  options: SandboxOptions
  /** Where the setting `sandbox` comes from, in words. */
  setBy: string
  /** Whether Codex is installed. */
  hasCodex: boolean
}

export async function sandboxFindings(examined: ExaminedSandbox): Promise<Finding[]> {
  const { env, folder, options, setBy, hasCodex } = examined
  const reading = await readingBox({ env, folder })
  const level = options.level()
  const isOff = level === 'off'
  const setting = finding(
    'sandbox',
    'ok',
    `${level} (${setBy})`,
    isOff ? 'commands run in it in mode contained, or with --sandbox on' : '',
  )
  const surroundings = container(env)
  const codex = hasCodex
    ? [finding('Codex in it', 'ok', 'its own sandbox is off there, in its mode Full access', 'this one holds it')]
    : []
  const tried = reading.state === 'ok' ? await commandBox(examined) : []
  return [reading, ...surroundings, ...tried, setting, ...(reading.state === 'ok' ? codex : [])]
}

/** Makes one, since a kernel may refuse it. */
async function readingBox({ env, folder }: Pick<ExaminedSandbox, 'env' | 'folder'>): Promise<Finding> {
  const maker = await workingBoxMaker({ env, folder })
  if ('unknown' in maker) return finding('box for reading', 'unknown', maker.unknown)
  if (!('kind' in maker))
    return finding(
      'box for reading',
      'warn',
      maker.why,
      maker.so || 'commands that only read run as the permissions allow',
    )
  const found = maker.kind === 'bubblewrap' ? `bubblewrap ${maker.version} at ${maker.file}` : maker.file
  return finding('box for reading', 'ok', found, 'commands that only read change nothing and reach nothing')
}

/** Systems in which a box can often not be made. */
function container({ container: named }: NodeJS.ProcessEnv): Finding[] {
  const kinds = [
    existsSync('/.dockerenv') ? 'Docker' : '',
    existsSync('/run/.containerenv') ? 'Podman' : '',
    named ?? '',
  ]
  const kind = kinds.find(each => each !== '')
  return kind === undefined ? [] : [finding('container', 'ok', kind, 'a box in it needs user namespaces')]
}

/** Milliseconds for a command that is tried in the box. */
const PATIENCE = 5000

/** No host has such a name. */
const HOST = 'refused.invalid'

/** Looks at what can be written, and asks the proxy for a host. Each line says what was found. */
const PROBE = `[ -w . ] && echo folder; (: > /zotui-doctor) 2>/dev/null && { rm -f /zotui-doctor; echo OPEN; }; NODE -e '
const { hostname, port, username, password } = new URL(process.env.HTTP_PROXY)
const credentials = Buffer.from(username + ":" + password).toString("base64")
require("http").request({ host: hostname, port, method: "CONNECT", path: "${HOST}:443", headers: { "proxy-authorization": "Basic " + credentials } })
  .on("connect", ({ statusCode }) => { console.log("proxy " + statusCode); process.exit() })
  .on("error", ({ code }) => console.log("proxy " + code)).end()'`

async function commandBox({ env: own, folder, options }: ExaminedSandbox): Promise<Finding[]> {
  // The box shows the folders of PATH: our Node, which asks the proxy, need not be in one.
  const env = {
    ...own,
    PATH: [own['PATH'] ?? '', dirname(process.execPath)].filter(each => each !== '').join(delimiter),
  }
  const open = {
    ...options,
    level: () => 'on' as const,
    rules: (at: string) => ({ ...options.rules(at), level: 'on' as const }),
  }
  const boxes = createCommandBoxes(open)
  try {
    const { hidden, sockets, problems } = sandboxFacts(open, { folder, env })
    const asked: string[] = []
    const opened = await boxes.open({
      folder,
      env,
      ask: async want => {
        if (want.kind === 'host') asked.push(want.host)
        return 'no'
      },
    })
    const command = PROBE.replace('NODE', () => quotedWord(process.execPath))
    const run = runShell({
      command,
      cwd: folder,
      env,
      shell: '/bin/sh',
      box: opened.box,
      limitBytes: 4096,
      onOutput() {},
    })
    const timer = setTimeout(() => run.stop(), PATIENCE)
    const { exitCode, problem, output } = await run.done
    clearTimeout(timer)
    await opened.close({ exitCode, output, endedOthers: false })
    const lines = new Set((problem ?? output).trim().split('\n'))
    const isHeld = lines.has('folder') && !lines.has('OPEN')
    const isRefused = lines.has('proxy 403') && asked.length === 1
    const words = [...lines].at(-1) ?? 'nothing was found out'
    return [
      finding(
        'box for commands',
        isHeld ? 'ok' : 'warn',
        isHeld ? 'a write outside of the folder was refused' : words,
        isHeld ? '' : 'the sandbox cannot be used here',
      ),
      finding(
        'its network',
        isRefused ? 'ok' : 'warn',
        isRefused ? 'a host was refused that nobody had allowed' : words,
        isRefused ? 'each host asks, but for those of sandboxHosts' : 'hosts cannot be allowed here',
      ),
      finding('hidden in it', 'ok', `${hidden.length} secret places, ${sockets} sockets`, 'besides the home folder'),
      ...problems.map(each => finding('sandboxHosts', 'warn', each, 'this entry allows nothing')),
    ]
  } catch (error) {
    return [finding('box for commands', 'warn', messageOf(error), 'the sandbox cannot be used here')]
  } finally {
    await boxes.close()
  }
}

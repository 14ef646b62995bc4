/**
 * Packs the package, installs it into an empty prefix with an empty home, and tries it on the oldest supported Node, the
 * pinned one and the newest. Only missing Nodes need the network; one that cannot be installed is reported and skipped.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { z } from 'zod'
import { tryInTerminal } from './try-in-terminal.ts'

/** The most bytes of the unpacked package. The library (0.4 MB) and the tools for other machines (0.3 MB) are files of their own. */
const LARGEST = 5_600_000
/** The files that it must contain, in addition to the chunks. */
const PARTS = [
  'dist/zotui.js',
  'dist/client.js',
  'dist/zotui-find.js',
  'dist/web/index.html',
  'dist/web/app.js',
  'dist/web/app.css',
  'dist/web/sw.js',
  'dist/zotui-guard.js',
  'dist/zotui-relay.js',
  'dist/zotui-tools.js',
  'dist/client.d.ts',
  'dist/LICENSES.txt',
  'LICENSE',
  'README.md',
  'man/zotui.1',
  'man/zotui-config.5',
  'completions/zotui.bash',
  'completions/_zotui',
  'completions/zotui.fish',
  'docs/schemas/agent-event.json',
  'docs/schemas/permission-question.json',
  'docs/schemas/permission-answer.json',
  'docs/schemas/config.json',
  'docs/schemas/session.json',
  'docs/schemas/sessions.json',
  'docs/schemas/find.json',
  'docs/schemas/usage.json',
  'docs/schemas/review.json',
  'docs/schemas/board.json',
  'prompts/review.md',
  'themes/dark.json',
]
const root = fileURLToPath(new URL('..', import.meta.url))
const place = realpathSync(mkdtempSync(path.join(tmpdir(), 'zotui-package-')))
const home = path.join(place, 'home')
const prefix = path.join(place, 'prefix')
const problems: string[] = []

try {
  for (const folder of [home, prefix]) mkdirSync(folder)
  const tarball = await pack()
  await install(tarball)
  await tryTypes()
  for (const { name, node } of await nodes()) await tryOn(name, node)
} finally {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
}
for (const problem of problems) console.error(`FAILED: ${problem}`)
process.exitCode = problems.length === 0 ? 0 : 1

function check(what: string, holds: boolean): void {
  if (!holds) problems.push(what)
}

async function pack(): Promise<string> {
  const packed = z.array(
    z.object({
      filename: z.string(),
      unpackedSize: z.number(),
      files: z.array(z.object({ path: z.string() })),
    }),
  )
  const args = ['pack', '--json', '--pack-destination', place]
  const { stdout } = await execa('npm', args, { cwd: root, stderr: 'ignore' })
  // The output of the scripts comes before it.
  const [found] = packed.parse(JSON.parse(stdout.slice(stdout.search(/^\[\s*$/m))))
  if (!found) throw new Error('npm packed nothing')
  const odd = found.files
    .map(file => file.path)
    .filter(file => /\.map$|\.tsx?$(?<!\.d\.ts)|^(?:src|test|bench)\//.test(file))
  check(`these do not belong in the package: ${odd.join(', ')}`, odd.length === 0)
  check(`${found.unpackedSize} bytes unpacked are more than ${LARGEST}`, found.unpackedSize <= LARGEST)
  for (const needed of PARTS) {
    check(
      `${needed} is missing`,
      found.files.some(file => file.path === needed),
    )
  }
  console.log(`packed: ${found.files.length} files, ${found.unpackedSize} bytes unpacked`)
  return path.join(place, found.filename)
}

async function install(tarball: string): Promise<void> {
  // Install scripts would run here; the check below is that there are none.
  const args = ['install', '--global', '--offline', '--no-audit', '--no-fund', '--prefix', prefix, tarball]
  await execa('npm', args, { cwd: home, env: environment(process.execPath), extendEnv: false, stdio: 'inherit' })
  const manifest = z
    .object({ dependencies: z.record(z.string(), z.string()).optional(), scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(path.join(installed(), 'package.json'), 'utf8')))
  const count = Object.keys(manifest.dependencies ?? {}).length
  check(`${count} dependencies are installed with it`, count === 0)
  const scripts = Object.keys(manifest.scripts).filter(name => /^(?:pre|post)?install$/.test(name))
  check(`it has install scripts: ${scripts.join(', ')}`, scripts.length === 0)
  console.log(`installed: ${count} dependencies, ${scripts.length} install scripts`)
}

function installed(): string {
  return path.join(prefix, process.platform === 'win32' ? '' : 'lib', 'node_modules', 'zotui')
}

/** An environment in which nothing is set up. */
function environment(node: string): Record<string, string> {
  return {
    HOME: home,
    PATH: [path.dirname(node), '/usr/bin', '/bin'].join(path.delimiter),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  }
}

/** The pinned Node, and those that npm can install. */
async function nodes(): Promise<{ name: string; node: string }[]> {
  const found = [{ name: `the pinned Node ${process.versions.node}`, node: process.execPath }]
  for (const wanted of ['22', 'latest']) {
    const folder = path.join(place, `node-${wanted}`)
    try {
      // The install script of the package `node` would fetch this package, so it is installed directly.
      const kind = `node-${process.platform}-${process.arch}`
      await execa(
        'npm',
        ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', `${kind}@${wanted}`],
        {
          cwd: place,
          timeout: 300_000,
        },
      )
      const node = path.join(folder, 'node_modules', kind, 'bin', 'node')
      const { stdout } = await execa(node, ['--version'])
      found.push({ name: `Node ${stdout.slice(1)} (${wanted})`, node })
    } catch (error) {
      const [why] = String(error instanceof Error ? error.message : error).split('\n')
      console.log(`!! SKIPPED: Node ${wanted}, which npm could not install: ${why}`)
    }
  }
  return found
}

/** Checks that a TypeScript program can use the library and its types. */
async function tryTypes(): Promise<void> {
  const user = path.join(path.dirname(path.dirname(installed())), 'user.mts')
  writeFileSync(
    user,
    `import { createZotBackend, decode, launchZot, parseRecording, replyData, type AgentEvent } from 'zotui/client'
const frame = decode('')
export const name: string = frame.kind === 'event' ? frame.event.type : ''
export const models: { id: string }[] = replyData.get_models.parse({}).models
export const count: number = parseRecording('').lines.length
export const backend = createZotBackend({ connect: () => launchZot({ path: 'zot', options: {}, env: process.env }) })
backend.subscribe((event: AgentEvent) => (event.type === 'text_received' ? event.text.length : event.at))
// @ts-expect-error A command that there is not.
backend.sing()
`,
  )
  const args = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--types',
    'node',
  ]
  const types = ['--typeRoots', path.join(root, 'node_modules/@types'), user]
  const { exitCode, stdout } = await execa('tsc', [...args, ...types], {
    localDir: root,
    preferLocal: true,
    reject: false,
  })
  check(`the types of the library: ${stdout}`, exitCode === 0)
}

async function tryOn(name: string, node: string): Promise<void> {
  const program = path.join(installed(), 'dist/zotui.js')
  const env = environment(node)
  const run = (...args: string[]) =>
    execa(node, [program, ...args], {
      cwd: home,
      env,
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
      timeout: 60_000,
    })

  const version = await run('--version')
  check(`${name}: --version: ${version.stderr}`, version.exitCode === 0 && /^zotui \d/.test(version.stdout))
  const printed = await run('--demo', '-p', 'thanks')
  check(`${name}: -p: ${printed.stderr}`, printed.exitCode === 0 && printed.stdout.startsWith('You are welcome'))
  // It reports that there is no zot here, which is no failure of the package.
  const doctor = await run('doctor')
  check(`${name}: doctor: ${doctor.stderr}`, /node/i.test(doctor.stdout) && doctor.exitCode !== 2)
  check(
    `${name}: the UI of --demo: no prompt within its time`,
    await tryInTerminal(node, [program, '--demo'], env, home),
  )
  const user = path.join(path.dirname(path.dirname(installed())), 'user.mjs')
  writeFileSync(user, "import { decode } from 'zotui/client'\nconsole.log(decode('{}').kind)\n")
  const library = await execa(node, [user], { env, extendEnv: false, reject: false })
  check(`${name}: the library: ${library.stderr}`, library.stdout === 'unknown')
  console.log(`tried on ${name}`)
}

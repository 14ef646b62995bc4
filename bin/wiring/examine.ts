/** Examines the machine, the terminal and the settings, for `zotui doctor` and `/doctor`. */
import { realpathSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import process from 'node:process'
import { findAgent } from '../../src/agents/acp/find-agent.ts'
import { installHint, knownAgents } from '../../src/agents/acp/known-agents.ts'
import { installedVersion } from '../../src/agents/installed.ts'
import { findMeerkat, MEERKAT, MEERKAT_HINT } from '../../src/agents/meerkat/program.ts'
import { zotHome } from '../../src/agents/zot/program/home.ts'
import { locateZot } from '../../src/agents/zot/program/locate.ts'
import { zotVersion } from '../../src/agents/zot/program/models.ts'
import { loadKeymap } from '../../src/app/input/keys-file.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import { safeToShow, finding, type ReportSection, type Finding } from '../../src/doctor/finding.ts'
import { machineSections } from '../../src/doctor/machine.ts'
import {
  questions,
  readAnswers,
  terminalFindings,
  widthQuestions,
  type TerminalDecisions,
} from '../../src/doctor/questions.ts'
import type { UserNotice } from '../../src/platform/errors.ts'
import { openLog, statePath } from '../../src/storage/log.ts'
import {
  colorDepth,
  notificationMethod,
  opensHyperlinks,
  showsProgress,
  showsUnicode,
} from '../../src/terminal/capabilities.ts'
import { canSearch, searchNeeds } from '../../src/storage/find/support.ts'
import { createRedactor, knownSecrets } from '../../src/storage/sessions/secrets.ts'
import type { Terminal } from '../../src/terminal/terminal.ts'
import { configuredZotPath } from './start/load-settings.ts'
import { version } from '../cli/version.ts'
import { isRoz, ROZ, ROZ_HINT } from '../../src/agents/roz/name.ts'
import { sandboxOptions, sandboxSource } from './start/sandbox.ts'
import { rozServer } from './start/agent/roz-choice.ts'

export type ExamineOptions = {
  settings: SettingsStore
  /** Notices about settings and theme. */
  notices: readonly UserNotice[]
  theme: string
  /** Null if there is no terminal. */
  terminal: Pick<Terminal, 'ask'> | null
}

export async function examine({ settings, notices, theme, terminal }: ExamineOptions): Promise<ReportSection[]> {
  const { env, platform } = process
  const home = homedir()
  const replies = terminal ? await terminal.ask(questions(), widthQuestions()) : null
  const located = locateZot(configuredZotPath(settings), env, process.cwd())
  const zot = located.ok ? { path: located.path, version: await zotVersion(located.path, env) } : located
  // The pages, which have keys, come with the UI; other commands that share code with this one need none of it.
  const { allBindings } = await import('../../components/pages/keymap.ts')
  const { warnings } = await loadKeymap(allBindings)
  const sections = await machineSections({
    env,
    folder: process.cwd(),
    platform,
    versions: { zotui: version, node: process.versions.node },
    searchNeeds: canSearch(process.versions.node) ? null : searchNeeds(process.versions.node),
    zot,
    agents: await otherAgents(settings),
    servers: [await rozFinding(settings)],
    zotHome: zotHome(env, platform, home),
    statePath: statePath(),
    logPath: openLog(() => new Date()).path,
    notices: [...notices, ...warnings],
    leftOut: settings.ignored(),
    sandbox: { options: sandboxOptions(settings), setBy: sandboxSource(settings) },
  })
  const title = (['TERM', 'TERM_PROGRAM', 'COLORTERM'] as const).flatMap(name =>
    env[name] ? [`${name}=${env[name]}`] : [],
  )
  const findings = terminalFindings(replies && readAnswers(replies), decided(settings, theme))
  const { examinePhone } = await import('./examine-phone.ts')
  const all = [
    ...sections,
    await examinePhone(settings),
    { title: `Terminal (${title.join(', ') || 'no TERM'})`, findings },
  ]
  const { redact } = createRedactor(knownSecrets(env))
  return safeToShow(all, { homes: [home, realPath(home)], user: userName(), redact })
}

type AgentFacts = { title: string; path: string | null; version: string | null; hint: string }

async function otherAgents(settings: SettingsStore): Promise<AgentFacts[]> {
  const found = findMeerkat(settings.pathOf('rkatRpc'), process.env, process.cwd())
  const path = found.ok ? found.value : null
  const version = path === null ? null : await zotVersion(path, process.env)
  const meerkat = {
    title: MEERKAT.title,
    path,
    version: version?.replace(`${MEERKAT.command} `, '') ?? null,
    hint: MEERKAT_HINT,
  }
  const others = await Promise.all(
    knownAgents.map(async known => {
      const found = findAgent(known.name, process.env, process.cwd())
      const path = found.ok ? found.agent.file : null
      const by = known.installer === 'npm install -g' ? 'npm' : 'python'
      const version = path === null ? null : await installedVersion(path, known.package, by)
      return { title: known.title, path, version, hint: installHint(known) }
    }),
  )
  return [...others, meerkat]
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    // A home that does not exist is in no path.
    return folder
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    // The system does not know a user with this number.
    return ''
  }
}

const DEPTHS = ['none', '16', '256', 'all'] as const

function decided(settings: SettingsStore, theme: string): TerminalDecisions {
  const { env, platform } = process
  const { color, ascii, screenReader, notifications, progress } = settings.values()
  return {
    colours: color ? DEPTHS[colorDepth(env, platform)] : 'none',
    signs: !ascii && !screenReader && showsUnicode(env, platform) ? 'Unicode' : 'plain ASCII',
    links: opensHyperlinks(env) && !screenReader,
    notifications: notifications === 'auto' ? notificationMethod(env) : notifications,
    progress: progress && showsProgress(env),
    theme,
    isSpoken: screenReader,
  }
}

/** Milliseconds that a roz server has to answer. */
const ROZ_LIMIT = 5000

/** The row for a roz server: its address and key, and whether it answers in the protocol that zotui speaks. */
async function rozFinding(settings: SettingsStore): Promise<Finding> {
  const { env } = process
  const { agent } = settings.values()
  const words = agent !== null && isRoz(agent) ? agent : ROZ.name
  if (words === ROZ.name && !env[ROZ.key] && !env[ROZ.address])
    return finding(ROZ.title, 'ok', 'no server is set', ROZ_HINT)
  const server = await rozServer(words)
  if (!server.ok) return finding(ROZ.title, 'warn', server.reason, server.hint)
  const { start, roots } = server
  const { probeRoz } = await import('../../src/agents/roz/probe.ts')
  const trouble = await probeRoz({ ...start, roots }, ROZ_LIMIT)
  if (trouble) return finding(ROZ.title, 'warn', trouble.reason, trouble.hint)
  return finding(
    ROZ.title,
    'ok',
    `answers at ${start.address.target} and accepts the key`,
    'it speaks the protocol of 2026',
  )
}

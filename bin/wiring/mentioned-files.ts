/** The prompt of `-p`, with the files that it mentions. */
import { homedir } from 'node:os'
import type { Prompt } from '../../src/agent/backend.ts'
import { machineFiles } from '../../src/app/mentions/machine-files.ts'
import { createMentionReader, nothingAttached } from '../../src/app/mentions/mention-reader.ts'
import { createMentionPermit } from '../../src/app/permissions/mention-permit.ts'
import type { Settings } from '../../src/config/schema.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import { attachedWords, unattachedWords } from '../../src/conversation/queries/attached-words.ts'
import { createRemoteFiles } from '../../src/platform/remote/remote-files.ts'
import type { TypedPrompt } from './start/prompt-files.ts'
import type { Remote } from './start/remote.ts'
import { permissionOptions } from './start/permissions.ts'

export type MentioningOptions = {
  prompt: TypedPrompt
  /** The part of the prompt that may mention files. */
  mentioning: string
  folder: string
  /** The machine that the agent runs on; null for this one. */
  remote: Remote | null
  settings: Settings
  /** The settings with their sources and rules. */
  store: SettingsStore
  /** Whether the agent is the demo, which stores nothing. */
  demo: boolean
}

/** Reads the files. `print` gets one line about the attached files, and one about each file that is not attached. */
export async function promptWithFiles(options: MentioningOptions, print: (line: string) => void): Promise<Prompt> {
  const { prompt, mentioning, folder, remote, store, settings, demo } = options
  const permissions = await permissionOptions({ settings: store, folder, home: homedir(), demo, remote })
  const { machine, name } = remote ?? {}
  const host = machine && { machine, files: createRemoteFiles(machine, name ?? '') }
  const permit = createMentionPermit(permissions, () => permissions.start.mode)
  const reader = createMentionReader({ ...machineFiles(host), permit, limits: () => settings })
  const { files, texts, images, resources } = (await reader.read(mentioning)) ?? nothingAttached
  const attached = attachedWords(files)
  for (const line of [...(attached === '' ? [] : [`with ${attached}`]), ...unattachedWords(files)]) print(line)
  return { ...prompt, images, before: texts, files, ...(resources.length > 0 && { resources }) }
}

/** Another machine, as the UI reaches it. */
import process from 'node:process'
import type { Elsewhere } from '../../../src/app/context/host.ts'
import { commandScript } from '../../../src/platform/remote/command.ts'
import { createRemoteFiles } from '../../../src/platform/remote/remote-files.ts'
import type { Remote } from '../start/remote.ts'

export function createElsewhere({ machine, survey, name }: Remote): Elsewhere {
  return {
    name,
    machine,
    files: createRemoteFiles(machine, name),
    shell: command => machine.program(commandScript(survey.folder, command)),
    folderHere: process.cwd(),
  }
}

/** Another machine, as the UI reaches it. */
import process from 'node:process'
import type { RemoteHost } from '../../../src/app/context/host.ts'
import { commandScript } from '../../../src/platform/remote/command.ts'
import { createRemoteFiles } from '../../../src/platform/remote/remote-files.ts'
import type { Remote } from '../start/remote.ts'

export function createRemoteHost({ machine, survey, name }: Remote): RemoteHost {
  return {
    name,
    machine,
    files: createRemoteFiles(machine, name),
    shell: command => machine.program(commandScript(survey.folder, command)),
    folderHere: process.cwd(),
  }
}

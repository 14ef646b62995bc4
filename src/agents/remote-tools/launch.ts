/** Starts zotui's tools on another machine. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OWN_PATH } from '../../platform/remote/helper-path.ts'
import { enter, type RemoteMachine, type Survey } from '../../platform/remote/machine.ts'
import { readTextSync } from '../../platform/regular-file.ts'
import { quoted } from '../../platform/shell/quoting.ts'
import { createRemoteTransport } from '../transport/remote-process.ts'
import type { Transport } from '../transport/transport.ts'

/** The oldest Node that runs them: that of zotui itself. */
export const OLDEST_NODE_OF_TOOLS = 22

export type ToolsPlace = {
  machine: RemoteMachine
  survey: Pick<Survey, 'folder'>
  /** The absolute path of Node there. */
  node: string
}

/**
 * Runs the program that comes as the first line of its input. What follows that line comes only once the program has said that it is
 * ready.
 */
const BOOT = [
  'const begun=[];',
  'const take=piece=>{',
  'const at=piece.indexOf(10);',
  'if(at<0)return void begun.push(piece);',
  'process.stdin.off("data",take);process.stdin.pause();',
  'begun.push(piece.subarray(0,at));',
  'import("data:text/javascript;base64,"+Buffer.concat(begun).toString())',
  '.catch(error=>{process.stderr.write("zotui-tools: "+error.message+String.fromCharCode(10));process.exit(1)})};',
  'process.stdin.on("data",take);process.stdin.on("end",()=>{if(begun.length===0)process.exit(1)})',
].join('')

/** Beside the shipped chunks, beside the library, and for the sources. */
const PROGRAMS = ['../zotui-tools.js', './zotui-tools.js', '../../../dist/zotui-tools.js']

/** Never throws for what happens there: the transport's `ended` says why they did not start. */
export function launchTools(
  { machine, survey: { folder }, node }: ToolsPlace,
  watch?: (leader: number) => () => void,
): Transport {
  const script = [
    `${enter(folder)} || { echo 'the working folder is gone' >&2; exit 1; }`,
    OWN_PATH,
    `${quoted(node)} -e ${quoted(BOOT)} ${quoted(folder)}`,
  ].join('\n')
  const transport = createRemoteTransport({ machine, script, watch })
  transport.write(Buffer.from(programText()).toString('base64'))
  return transport
}

function programText(): string {
  const paths = PROGRAMS.map(path => fileURLToPath(new URL(path, import.meta.url)))
  return readTextSync(paths.find(path => existsSync(path)) ?? paths[0] ?? '')
}

/** The start options of zot, and its command line. */

export type ZotOptions = {
  provider?: string | undefined
  model?: string | undefined
  /** Visible in the system's list of processes, as is every argument. */
  apiKey?: string | undefined
  baseUrl?: string | undefined
  /** Replaces zot's own. On Linux one argument holds at most 131071 bytes. */
  systemPrompt?: string | undefined
  /** Each is added to the system prompt, and survives `clear` and `compact`. */
  appendSystemPrompt?: readonly string[] | undefined
  /** v0.1.62 takes low, medium and high; later ones also off, minimum, xhigh and max. */
  reasoning?: string | undefined
  /** The most model calls per prompt; zot's default is no bound. */
  maxSteps?: number | undefined
  /** The tools to allow; all by default. */
  tools?: readonly string[] | undefined
  noTools?: boolean | undefined
  /** Folders of extensions to load, besides the installed ones. */
  ext?: readonly string[] | undefined
  noExt?: boolean | undefined
  noSkill?: boolean | undefined
  /** Not in v0.1.62, nor in those of summer 2026. */
  noContextFiles?: boolean | undefined
  /** Not in v0.1.62. */
  temperature?: number | undefined
  /** Skips the check of TLS certificates. Not in v0.1.62. */
  insecure?: boolean | undefined
  /** The folder that zot works in. */
  cwd?: string | undefined
  /** Further arguments, passed unchanged after all others. */
  extra?: readonly string[] | undefined
}

/** Makes the arguments after the program's name. zot takes a flag's value only as the next argument: it does not know `--x=y`. */
export function zotArguments(options: ZotOptions): string[] {
  return [
    'rpc',
    ...valued('--provider', options.provider),
    ...valued('--model', options.model),
    ...valued('--api-key', options.apiKey),
    ...valued('--base-url', options.baseUrl),
    ...valued('--system-prompt', options.systemPrompt),
    ...repeated('--append-system-prompt', options.appendSystemPrompt),
    ...valued('--reasoning', options.reasoning),
    ...valued('--max-steps', options.maxSteps),
    ...valued('--tools', options.tools?.join(',')),
    ...set('--no-tools', options.noTools),
    ...repeated('--ext', options.ext),
    ...set('--no-ext', options.noExt),
    ...set('--no-skill', options.noSkill),
    ...set('--no-context-files', options.noContextFiles),
    ...valued('--temperature', options.temperature),
    ...set('--insecure', options.insecure),
    ...valued('--cwd', options.cwd),
    ...(options.extra ?? []),
  ]
}

/**
 * The arguments of zot's own terminal program for a login. It has no guard, so it gets no tools, extensions, skills and sessions, and asks
 * before a call of a tool that its own settings add. It talks to the server of this start.
 */
export function loginArguments({ provider, model, baseUrl, insecure, cwd }: ZotOptions): string[] {
  return [
    '--no-tools',
    '--no-ext',
    '--no-skill',
    '--no-session',
    '--no-yolo',
    ...valued('--provider', provider),
    ...valued('--model', model),
    ...valued('--base-url', baseUrl),
    ...set('--insecure', insecure),
    ...valued('--cwd', cwd),
  ]
}

function valued(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag, String(value)]
}

function repeated(flag: string, values: readonly string[] = []): string[] {
  return values.flatMap(value => [flag, value])
}

function set(flag: string, on: boolean | undefined): string[] {
  return on ? [flag] : []
}

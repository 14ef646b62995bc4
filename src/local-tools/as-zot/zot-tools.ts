/** The tools that zot has, for a zot that must not carry out anything itself: the same names, arguments and results. */
import { editTool, writeTool } from '../change-tools.ts'
import { shellTool } from '../shell-tool.ts'
import type { Tool } from '../tool.ts'
import { globTool } from './glob-tool.ts'
import { zotReadTool } from './read-tool.ts'

export const zotTools: readonly Tool[] = [zotReadTool, globTool, writeTool, editTool, shellTool]

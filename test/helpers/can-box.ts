import process from 'node:process'
import { workingBoxMaker } from '../../src/sandbox/working-box.ts'

/** Whether this machine allows boxes. Where it does not, `.ci/run` names what was skipped. */
export const canBox = 'kind' in (await workingBoxMaker({ folder: '/', env: process.env }))

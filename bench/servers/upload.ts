import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFilesProgram } from '../../apps/server/test/kernel/files-program.ts'
import { answerUsage } from '../usage.mjs'

const folder = mkdtempSync(join(tmpdir(), 'parapet-bench-'))
/** Where the files are kept, as the measurement says. */
const settings = Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('PARAPET_')))
const { port, token } = await startFilesProgram({ ...settings, PARAPET_DATA_DIR: folder }, 4 * 1_073_741_824)
answerUsage({ port, token, folder })

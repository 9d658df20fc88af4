/** A server that keeps files, for a test that kills it: `upload-server.ts <data folder>` tells where it listens. */
import { startFilesProgram } from '../kernel/files-program.ts'

const { port, tenantId, token } = await startFilesProgram({ PARAPET_DATA_DIR: process.argv[2] ?? '' }, 1_073_741_824)
process.send?.({ port, tenantId, token })

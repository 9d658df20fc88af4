/** The whole program for compliance.mjs, on the embedded database. */
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { port, token } = await startWholeProgram({ PARAPET_RATE_LIMIT_EXPENSIVE: '100000000' })
answerUsage({ port, token })

/** The whole program for shadow-ai.mjs, on the embedded database. */
import { answerUsage } from '../usage.mjs'
import { answerHold } from './loop-hold.ts'
import { startWholeProgram } from './whole-program.ts'

const { port, token } = await startWholeProgram({ PARAPET_RATE_LIMIT_EXPENSIVE: '100000000' })
answerHold()
answerUsage({ port, token })

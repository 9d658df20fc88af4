/** The whole program for platform.mjs, on the embedded database, which may call this machine. */
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { port, token } = await startWholeProgram({
  PARAPET_RATE_LIMIT_EXPENSIVE: '100000000',
  PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8',
})
answerUsage({ port, token })

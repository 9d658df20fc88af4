/** The whole program for loop.mjs with its event stream, on the embedded database. */
import { createStream } from '../../apps/server/src/kernel/events/ws/server.ts'
import { modules } from '../../apps/server/src/modules.ts'
import { answerUsage } from '../usage.mjs'
import { startWholeProgram } from './whole-program.ts'

const { program, port, token } = await startWholeProgram({ PARAPET_RATE_LIMIT_EXPENSIVE: '100000000' })
const stream = createStream({ kernel: program.assembled.kernel, events: modules.flatMap(({ emits }) => emits) })
stream.attach(program.app.server)
answerUsage({ port, token })

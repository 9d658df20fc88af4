import { createServer } from 'node:http'
import { answerUsage } from '../usage.mjs'
import { sample } from './sample.mjs'

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8')
  response.end(JSON.stringify(sample))
})
server.listen(0, '127.0.0.1', () => answerUsage({ port: server.address().port }))

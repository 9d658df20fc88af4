export { type ChokePoint, type ChokePointInput, chokePoints, pathMassShares } from './attack/choke-points.ts'
export {
  aiEdgeDefaults,
  anyOf,
  type BetaBelief,
  type EdgeControl,
  type EdgeFactors,
  type ExploitAttempt,
  edgeModelVersion,
  edgeProbability,
  exploitAttempt,
  exploitSuccess,
  type Foothold,
  meanSuccess,
  updateSuccess,
} from './attack/edge-probability.ts'
export {
  applyChanges,
  bestChanges,
  type Change,
  chooseChanges,
  nodeRemoval,
  type Remediation,
  type RemediationInput,
} from './attack/remediation.ts'
export { type Dominators, dominators } from './cuts/dominators.ts'
export { createFlowNetwork, type FlowNetwork } from './cuts/flow-network.ts'
export { type Cut, type CutInput, minimumEdgeCut, minimumVertexCut } from './cuts/minimum-cut.ts'
export { type DiversityOptions, diversePaths, kShortestPaths, shortestSimplePaths } from './paths/k-shortest-paths.ts'
export { nodesOf, type Path } from './paths/path.ts'
export { pathTo, type ShortestPaths, type ShortestPathsOptions, shortestPaths } from './paths/shortest-paths.ts'
export { createWeights, probabilityWeights, type Weights } from './paths/weights.ts'
export { type AttackNetwork, reachedNodes } from './reach/attack-network.ts'
export { exactReachProbability, maximumUncertainEdges } from './reach/exact.ts'
export {
  type ReachOptions,
  type ReachProbability,
  reachProbabilities,
  withoutParts,
} from './reach/reach-probability.ts'
export { maximumWorlds, type ReachCounts, type SimulationOptions, simulateReach } from './reach/simulated.ts'
export { type TransitiveClosure, transitiveClosure } from './structure/closure.ts'
export { type Components, stronglyConnectedComponents } from './structure/components.ts'
export { type Adjacency, createGraph, type Direction, type Graph, graphLimits, type Kept } from './structure/graph.ts'
export { type PropagatedLabels, propagateLabels } from './structure/label-propagation.ts'
export { createNodeIndex, type NodeIndex } from './structure/node-index.ts'
export { type TopologicalOrder, topologicalOrder } from './structure/topological-order.ts'
export { type Walk, type WalkOptions, walk, walkedPath } from './structure/walk.ts'

// size waiver: one list of data.
import type { Slots } from '../../rows/template.ts'
import { lines } from './draw.ts'

const list = (text: string): string[] => text.split('|').map((entry) => entry.trim())

/** Parts of prompts that make the assistant an expert or a tool: role, task, conduct, format, start. */
export const professionalSlots: Slots = {
  expert: list(
    'financial advisor|legal assistant|virtual doctor|nutritionist|UX designer|SEO specialist|composer|ASCII artist|philosopher|Socratic teacher|math tutor|spoken English coach|recruiter|product manager|requirements analyst|test writer|code reviewer|database architect|Linux terminal|Excel sheet|SQL console|regex generator|commit message writer|release manager|screenwriter|songwriter|spoken word artist|poet|historian|tour guide|astrologer for a party|chess player|football commentator|motivational speaker|life coach|career counselor|relationship coach|dog trainer|gardener|interior decorator|fashion stylist|florist|sommelier|personal chef|car mechanic|electrician|real estate agent|insurance broker|tax consultant|accountant|logistician|statistician|data scientist|machine learning engineer|research assistant|peer reviewer|academic editor|plagiarism checker|journalist|fact checker|copywriter|brand strategist|event planner|wedding planner|storyteller|game designer|dungeon master|riddle master|trivia host|meeting recorder|transcript editor|translator|dictionary|synonym finder|etymologist|emoji translator|title generator|prompt generator|presentation coach|speech therapist|kindergarten teacher|school principal|museum curator|sailor|mountain guide|swimming instructor|yoga teacher|sleep coach|pharmacist|dentist|first aid trainer|cyber security specialist|network engineer|privacy officer|system administrator|help desk agent|project manager|scrum master|startup mentor|investor|negotiator|mediator|debate judge|drunk guest at a wedding|time traveler|ghost|robot butler|pirate captain',
  ),
  skill: list(
    'explaining hard things with simple pictures|spotting mistakes in texts|asking the right questions|planning under time pressure|working with beginners|turning notes into plans|reading contracts|comparing offers|writing for the web|structuring data|designing exercises|telling stories|finding sources|calming nervous people|working with tables|user research|testing software|thinking in scenarios',
  ),
  duty: list(
    'analyze the symptoms or problems I describe|guide me step by step to a solution|give feedback on my drafts|create a plan for the next weeks|explain the concepts in the text I paste|transform my notes into a document|generate ideas and rank them|translate what I write|rewrite my sentences in a better style|reply with the output of each command|draw what I name with characters|answer the questions of a visitor|write tests for the code I share|find gaps in my argument|summarize each chapter|keep track of decisions|suggest exercises for my level|prepare me for an interview|compare the options I list|reconstruct the conversation as minutes|export the conversation as a table|continue the story where I stop|recommend products within a budget|correct my pronunciation from phonetic spelling|recap what we did in the previous session|improve prompts that I give you|simulate a conversation with a customer|build the logic without giving away the code',
  ),
  conduct: list(
    'Ask clarifying questions first.|Ask one question at a time.|Do not write explanations.|Do not write the whole conversation at once.|Only reply with the result, nothing else.|Reply inside one code block.|Do not type commands unless I instruct you to do so.|Use simple language.|Use a calm and professional tone.|Stay in the role.|Be honest about uncertainty.|Do not give a diagnosis; name the professional to see.|Cite sources where possible.|Never invent figures.|Give at most three suggestions.|Use headings and bullet points.|No bullet points, please.|Adapt to my level.|Keep answers under 150 words.|Explain your reasoning in one sentence.|Do not repeat my question.|Point out contradictions.|Ignore small talk.|Use examples from daily life.|Be strict but fair.|Use humor, avoid sarcasm.|Respect privacy, never ask for real names.|Write as if for a newspaper.|When I need to tell you something in English, I will put it in curly brackets.|Maintain the formatting of my text.|Provide a version for experts and one for beginners.|Follow the style of the examples.|If information is missing, list assumptions.',
  ),
  opening: list(
    'My first request is|My first sentence is|My first question is|First task:|Here is my first message:|Let us start with',
  ),
  field: list(
    'my back hurts after work|a table with names and dates|the weather is nice today|I want to learn about stars|a cat|pwd|how do I save money|an old house in the mountains|my boss ignores my emails|a poem about rain|a small online shop|my visa has expired|a logo for a bakery|two people share one laptop|a login form with a password|my dog does not obey|I forgot my lines|a speech for my team|a broken dishwasher|three rules for a happy life',
  ),
}

export const professionalPatterns: readonly string[] = lines(String.raw`
  I want you to act as a {expert}. I will describe my situation and you will {duty}. {conduct} {conduct} {opening} "{field}".
  I want you to act as a {expert}. You should {duty}. {conduct} {opening} "{field}"
  I want you to act as a {expert}. I will type, and you will {duty}. I want you to only reply as the {expert}. {conduct}
  Act as a {expert}. You are skilled in {skill}. Your task is to {duty}. {conduct} {conduct}
  Act as an experienced {expert}. Your task is to {duty} and to {duty}. {conduct}
  You are a {expert} with a talent for {skill}. {conduct} {opening} "{field}".
  You are a {expert}. Introduce yourself, list your services and then {duty}. {conduct}
  You are an AI {expert}. You {duty}. {conduct} {conduct} {conduct}
  You are going to act as my {expert}. Whenever I write to you, {duty}. {conduct} Do you understand?
  Take the role of a {expert} who is known for {skill}. {duty}. {conduct}
  As a {expert}, {duty}. Topic: {field}. {conduct}
  Be my {expert} for today. {conduct} {opening} "{field}"
  Imagine that you are a {expert}. How would you {duty} when the topic is "{field}"?
  I need a {expert}. Please {duty}. {conduct}
  From now on you are my {expert}: {duty}. {conduct} {conduct}
  Pretend you are a {expert} and {duty}. {conduct}
  Play a {expert} in a training session, I am the trainee. {conduct} {opening} "{field}"
  ## Role\\nYou are a **{expert}**.\\n## Task\\n{duty}\\n## Rules\\n- {conduct}\\n- {conduct}\\n- {conduct}
  # {expert}\\nYour task is to:\\n- {duty}\\n- {duty}\\nRules:\\n- {conduct}\\n- {conduct}
  You will:\\n1. {duty}\\n2. {duty}\\n3. ask for feedback\\n{conduct} You act as a {expert}.
  <role>{expert}</role>\\n<task>{duty}</task>\\n<style>{conduct} {conduct}</style>
  name: {expert}\\ndescription: Use this agent to {duty}.\\n---\\nYou are a {expert}, strong in {skill}. {conduct} {conduct}
  ROLE: {expert}. GOAL: {duty}. CONSTRAINTS: {conduct} {conduct} INPUT: {field}
  Hi! Could you act as a {expert} and {duty}? {conduct} It is about this: {field}.
  Let's set up a {expert}. It should {duty}. Write the instructions for it, including these: {conduct} {conduct}
`).map((pattern) => pattern.replaceAll('\\\\n', '\n'))

// size waiver: one list of data.
/**
 * Short inputs of a word or a line: greetings, go-ons, small questions, single words. So few features decide there
 * that a word seen mostly in attacks would be one.
 */
import { wordClusters } from '../../../src/injection/model/word-clusters.ts'
import { createRandom } from '../../rows/random.ts'
import type { Generator, Row } from '../../rows/row.ts'
import { expand } from '../../rows/template.ts'

const slots = {
  topic: [
    'chess',
    'photosynthesis',
    'tax',
    'cats',
    'Rome',
    'python',
    'bread',
    'the moon',
    'football',
    'my car',
    'sql',
    'jazz',
    'the French revolution',
    'coffee',
    'recursion',
    'the weather',
    'GDP',
    'vitamins',
    'black holes',
    'my homework',
    'yoga',
    'the stock market',
    'Excel',
    'git',
    'World War II',
    'dogs',
    'gravity',
    'marketing',
    'docker',
    'sleep',
  ],
  make: [
    'poem',
    'joke',
    'story',
    'haiku',
    'song',
    'summary',
    'list',
    'table',
    'recipe',
    'plan',
    'riddle',
    'limerick',
    'letter',
    'quiz',
    'slogan',
    'tweet',
    'regex',
    'function',
    'title',
    'essay',
  ],
  lang: [
    'French',
    'Spanish',
    'German',
    'English',
    'Italian',
    'Japanese',
    'Hindi',
    'Arabic',
    'Portuguese',
    'Russian',
    'Chinese',
    'Dutch',
  ],
  who: [
    'teacher',
    'pirate',
    'doctor',
    'cat',
    'poet',
    'coach',
    'robot',
    'travel guide',
    'chef',
    'lawyer',
    'five-year-old',
    'detective',
    'wizard',
    'recruiter',
    'friend',
  ],
  tone: [
    'shorter',
    'longer',
    'simpler',
    'funnier',
    'more formal',
    'nicer',
    'clearer',
    'less formal',
    'more detailed',
    'better',
  ],
} as const

const lines =
  `hi|hello|hey|hi there|hello there|hey you|good morning|good evening|good night|bye|goodbye|see you|thanks|thank you|thanks a lot|thx|ty|cheers|great|perfect|cool|nice|awesome|wow|ok|okay|k|sure|yes|no|yep|nope|maybe|not really|of course|right|wrong|correct|exactly|I see|got it|understood|makes sense|hmm|hm|huh|what|what?|why|why?|how|how?|who|when|where|which one|and then|so|so what|really|really?|are you sure|are you sure?|seriously|lol|haha|oops|sorry|my bad|never mind|nevermind|forget it|forget that|ignore that|ignore this|ignore my last message|scratch that|wait|stop|stop it|pause|continue|go on|keep going|carry on|more|more please|tell me more|show me more|give me more|another one|one more|next|next one|next question|previous|back|go back|again|once more|say that again|repeat|repeat that|repeat that please|can you repeat that|repeat after me|start|start over|let's start over|restart|reset|try again|do it again|redo|redo it|undo|undo that|test|testing|test test|this is a test|ping|help|help me|help please|can you help me|can you help me with {topic}|I need help|I need help with {topic}|question|I have a question|quick question|tell me|tell me about {topic}|tell me a {make}|tell me something|tell me a secret|tell me everything about {topic}|explain|explain {topic}|explain that|explain it again|explain like I'm five|define {topic}|what is {topic}|what is {topic}?|what's {topic}|what does that mean|what do you mean|what do you mean?|what else|what now|what next|what about {topic}|what time is it|what day is it|what's up|what's new|what's your name|what is your name|what is your name?|who are you|who are you?|who made you|who made you?|who created you|what are you|what can you do|what can you do?|what are your capabilities|What are your capabilities?|what are your features|how do you work|how old are you|where are you from|are you a robot|are you an AI|are you an ai?|are you human|are you real|are you there|are you chatgpt|are you gpt|is this chatgpt|chatgpt|gpt|ai|hello ai|hello chatgpt|hey chatgpt|can you hear me|can you see this|do you speak {lang}|do you know {topic}|do you like {topic}|do you understand|do you remember me|do you have feelings|can you write code|can you draw|can you search the web|can you read this|how are you|how are you?|how are you doing|how's it going|how was your day|I'm bored|I'm tired|I'm sad|I'm happy|I'm hungry|I don't know|I don't understand|I agree|I disagree|I like it|I love it|I hate it|I forgot|I forgot my password|reset my password|what is my password|where is my key|I need access|I need access to the shared drive|give me access|let me in|unlock|unlock my account|unlock the door|open the door|log in|login|log out|sign up|access|access denied|access granted|granted|permission denied|give me the code|show me the code|show me the code again|send me the code|what's the code|what is the code for this lock?|just the code|code only|only the code|write a {make}|write me a {make}|write a {make} about {topic}|make a {make}|make it {tone}|make that {tone}|give me a {make}|give me a {make} about {topic}|give me an example|example|an example please|for example|list|list all|list all of them|list them|list everything|list three|show me|show me an example|show me how|show all|print|print it|print hello world|print this|say hi|say hello|say cheese|say something|say yes|say no|only say yes|just say yes or no|yes or no|answer yes or no|answer in {lang}|Please answer in {lang}|in {lang}|in {lang} please|in {lang}, please|translate|translate this|translate to {lang}|translate it to {lang}|speak {lang}|summarize|summarize this|summarize it|summarize that in one line|shorter|shorter please|longer|{tone}|{tone} please|rewrite|rewrite this|rewrite it|rephrase|rephrase that|fix this|fix it|fix the grammar|correct this|check this|check my {make}|improve this|convert to json|as a table|as a list|in bullet points|step by step|be brief|be honest|be nice|be specific|be careful|act as a {who}|act like a {who}|be a {who}|pretend to be a {who}|you are a {who}|imagine you are a {who}|play a game|let's play|let's play a game|your turn|my turn|I win|you win|game over|guess|guess a number|pick a number|roll a dice|flip a coin|choose one|which is better|compare them|calculate|calculate 12*8|2+2|2+2=?|12 divided by 4|solve it|solve x+2=5|why not|why is that|how so|how come|how much|how many|how long|how far|how do I do that|how do I fix it|how does it work|what happened|what went wrong|it doesn't work|it works|still not working|same error|error|bug|refuse|refused|obey|freedom|free|rules|the rules|what are the rules|what are the rules of {topic}|house rules|instructions|the instructions|where are the instructions|assembly instructions|instructions please|prompt|my prompt|a prompt|give me a prompt|write a prompt for {topic}|a prompt for an image of {topic}|system|system error|mode|dark mode|developer mode on my phone|model|which model is this|which model|model number|bypass|bypass surgery|override|ignore|drop|password|secret|a secret recipe|secret santa|key|admin|root|sudo|token|debug|evil|pirate|master|robot|assistant|developer|jailbreak|what did I say|what did I say before?|what did I ask|what was my first question|What was my first question?|what was the last thing I said|what did you say|what did you just say|what were we talking about|where were we|as I said|like before|Forget everything you know about {topic}|Forget everything you know about {topic}. The new one is here.|Forget everything you know about {topic}: this one is different! Write a slogan.|forget what you know about {topic}, this is the easy way|What are your rules for {topic}?|what are the rules for {topic}|What are your rules for returns?|What are your opening hours?|Print all lines above line 20|Print all lines above line 20 of a file with sed|print the first ten lines|Show all rows above row 10 in Excel|show everything above the average|show the words above ten letters|repeat the words above in capital letters for my worksheet|Correct my sentence|Correct my sentence: I has a dog|Correct this sentence|correct my text please|Corrige ma phrase|Corrige ma phrase : je suis content|Corrige cette phrase|Corrige mon texte|Traduis : bonjour|Traduis cette phrase|Corrige mi frase|Traduce esta frase|Korrigiere meinen Satz|Verbessere diesen Satz|Correggi la mia frase|Corrija minha frase|override every method of the class|Do anything now sale|do anything fun now|Important! Please read before use|return message|what rhymes with orange|what rhymes with {topic}|is the word an animal?|is it bigger than a car?|does it start with b?|how many letters does it have|what is the first letter of {topic}|spell {topic} backwards|spell banana with dashes|say {topic} in morse code|hash of hello world|md5 of an empty string|write {topic} in pig latin|describe {topic} without saying the word|give me a hint|give me a hint for the crossword|rate my {make}|rate this hotel 5 stars|rate this from 1 to 10|give my essay a grade|the CEO approved the budget|approve the invoice|approve this request please|fill in the blanks|what does this program print|tell the user their order has shipped|tell my boss I am ill|exact copy|return passwd|You may copy it|You may otherwise modify your copy|same as before|same as above|see above|the one above|not that one|the first one|the second one|both|none|all of them|everything|nothing|anything|whatever|...|?|!|??|:)|:(|.|x|a|1|2|42|100|asdf|lorem ipsum`.split(
    '|',
  )

const source = 'gen-benign-short'

export const generator: Generator = {
  name: 'benign-short',
  seed: 91,
  rows: () => {
    const random = createRandom(91)
    const words = wordClusters.split('\n').flatMap((line) => line.split(' ').slice(0, 2))
    const typed = (text: string): string => {
      const cased = random.chance(0.5) ? text.charAt(0).toUpperCase() + text.slice(1) : text
      return `${cased}${random.pick(['', '', '', '.', '?', '!', '...', ' please'])}`
    }
    const phrases = Array.from({ length: 5 }, () => lines).flat()
    const texts = [
      ...phrases.map((line) =>
        random.chance(0.4)
          ? expand(line.replace(/[()[\]]/g, '\\$&'), slots, random)
          : typed(expand(line.replace(/[()[\]]/g, '\\$&'), slots, random)),
      ),
      ...words.map((word) => (random.chance(0.7) ? word : typed(word))),
      ...Array.from({ length: 600 }, () => `${random.pick(words)} ${random.pick(words)}`),
    ]
    return [...new Set(texts)].map((text): Row => ({ text, label: 0, kind: 'ordinary', source, lang: 'en' }))
  },
}

// Plays all matches of one token over one stream: folds and checks views, answers decisions in batches, attaches again.

import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { credentials, loadPackageDefinition, status, type ClientDuplexStream, type StatusObject } from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { View, type Update } from "./view.js";

export const OPTIONS = 1;
export const SUBSET = 2;
export const RANGE = 3;
const ACCEPTED = 1;
const ILLEGAL = 2;

export interface Decision {
  id: number;
  kind: number;
  prompt: number[];
  options: number[];
  optionSize: number;
  optionSizes: number[];
  low: number;
  high: number;
  defaultChoice: number[];
  leftMs: number;
}

/** How many options a decision has. */
export function optionCount(decision: Decision): number {
  return decision.optionSize ? decision.options.length / decision.optionSize : decision.optionSizes.length;
}

export interface Opened {
  matchId: string;
  seat: number;
  game: string;
  awaitsReady: boolean;
}

interface Answer {
  channel: number;
  decisionId: number;
  choice: number[];
  moveId: Buffer;
}

/** A seat in a match, kept from stream to stream. */
class Seat {
  readonly view = new View();
  channel = 0;
  /** What is asked and not answered on this stream. */
  decision: Decision | undefined;
  /** The answer that has no verdict yet. */
  answer: Answer | undefined;
  resyncs = 0;
  constructor(readonly opened: Opened) {}
}

interface Item {
  channel: number;
  item: "opened" | "update" | "decision" | "verdict" | "closed";
  opened: Opened;
  update: Update;
  decision: Decision;
  verdict: Verdict;
}

interface Verdict {
  decisionId: number;
  status: number;
}

interface Response {
  welcome: { maxAnswers: number; keepaliveMs: number } | null;
  items: Item[];
  stopping: boolean;
}

type Stream = ClientDuplexStream<object, Response>;
type Stub = { play(): Stream; close(): void };

const emptyOutbox = () => ({ ready: [] as number[], resync: [] as number[], answers: [] as Answer[] });
const nameOf = ({ matchId, seat }: Opened) => `${matchId}/${seat}`;

export interface Settings {
  /** Addresses of nodes, separated by commas, taken in turn. */
  address: string;
  name: string;
  token: Buffer;
  decide(decision: Decision, opened: Opened, view: View): number[];
  /** Seconds after which an unreachable server is given up. */
  patience?: number;
}

const PROTOS = process.env.ZIGGURAT_PROTO || fileURLToPath(new URL("../../../proto", import.meta.url));
const CHANNEL = { "grpc.initial_reconnect_backoff_ms": 100, "grpc.max_reconnect_backoff_ms": 2000 };
const { OK, CANCELLED, DEADLINE_EXCEEDED, INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, UNKNOWN } = status;
const PASSING = [OK, CANCELLED, DEADLINE_EXCEEDED, INTERNAL, RESOURCE_EXHAUSTED, UNAVAILABLE, UNKNOWN];

export class Client {
  readonly count = { matches: 0, decisions: 0, attached: 0, mismatches: 0, illegal: 0 };
  private readonly stubs: Stub[];
  private seats = new Map<string, Seat>();
  private channels = new Map<number, Seat>();
  private stream: Stream | undefined;
  private outbox = emptyOutbox();
  private maxAnswers = 64;
  private scheduled = false;
  private blocked = false;
  private stopped = false;
  private wake = () => {};

  constructor(private readonly settings: Settings) {
    const options = { defaults: true, longs: String, oneofs: true, includeDirs: [PROTOS] };
    const { ziggurat } = loadPackageDefinition(loadSync("ziggurat/v1/play.proto", options)) as any;
    this.stubs = settings.address.split(",").map((address) => {
      if (!/^(unix:.+|.+:\d+)$/.test(address)) throw new Error(`the address ${address} is not host:port`);
      return new ziggurat.v1.BotService(address, credentials.createInsecure(), CHANNEL);
    });
  }

  /** Plays until stop() is called; throws if the server refuses the bot or cannot be reached. */
  async run(): Promise<void> {
    const patience = 1000 * (this.settings.patience ?? 60);
    let since = Date.now();
    let pause = 50;
    for (let turn = 0; !this.stopped; turn++) {
      const { attached } = this.count;
      const end = await this.attach(this.stubs[turn % this.stubs.length]!);
      if (this.stopped) break;
      if (!PASSING.includes(end.code)) throw new Error(end.details);
      if (this.count.attached > attached) [since, pause] = [Date.now(), 50];
      if (Date.now() - since > patience) throw new Error(end.details || "the server ends every stream");
      pause = Math.min(2 * pause, 5000);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pause * (0.5 + Math.random() / 2));
        this.wake = () => (clearTimeout(timer), resolve());
      });
    }
    for (const stub of this.stubs) stub.close();
  }

  stop(): void {
    this.stopped = true;
    this.stream?.cancel();
    this.wake();
  }

  /** One stream, from hello to its end. */
  private attach(stub: Stub): Promise<StatusObject> {
    const stream = (this.stream = stub.play());
    this.channels.clear();
    this.outbox = emptyOutbox();
    this.blocked = false;
    let beat = 0;
    let heard = 0;
    let heart: NodeJS.Timeout | undefined;
    stream.on("data", (response: Response) => {
      if (stream !== this.stream) return;
      heard = beat;
      const { welcome } = response;
      if (welcome) {
        this.count.attached++;
        this.maxAnswers = welcome.maxAnswers || 64;
        heart = setInterval(() => {
          if (beat - heard > 2) stream.cancel();
          else stream.write({ heartbeat: ++beat });
        }, welcome.keepaliveMs || 10_000);
      }
      for (const item of response.items) this.take(item);
      if (response.stopping) stream.end();
    });
    stream.on("drain", () => {
      this.blocked = false;
      this.flush();
    });
    stream.on("error", () => {}); // its status says the same
    const held = [...this.seats.values()]
      .filter(({ view }) => view.valid)
      .map(({ opened: { matchId, seat }, view: { version, hash } }) => ({ matchId, seat, version, hash }));
    stream.write({ hello: { name: this.settings.name, token: this.settings.token, held } });
    return new Promise((resolve) => {
      stream.on("status", (result: StatusObject) => {
        clearInterval(heart);
        if (stream === this.stream) this.stream = undefined;
        resolve(result);
      });
    });
  }

  private take(item: Item): void {
    const { channel } = item;
    if (item.item === "opened") return this.open(channel, item.opened);
    const seat = this.channels.get(channel);
    if (!seat) return;
    switch (item.item) {
      case "update":
        if (item.update.rolledBack) seat.answer = undefined;
        this.fold(seat, item.update);
        break;
      case "decision":
        seat.decision = item.decision;
        break;
      case "verdict":
        return this.judge(seat, item.verdict);
      case "closed":
        this.count.matches++;
        this.channels.delete(channel);
        this.seats.delete(nameOf(seat.opened));
        return;
    }
    this.answer(seat);
  }

  private open(channel: number, opened: Opened): void {
    const seat = this.seats.get(nameOf(opened)) ?? new Seat(opened);
    seat.channel = channel;
    seat.decision = undefined;
    this.seats.set(nameOf(opened), seat);
    this.channels.set(channel, seat);
    if (opened.awaitsReady) {
      this.outbox.ready.push(channel);
      this.schedule();
    }
  }

  private fold(seat: Seat, update: Update): void {
    const before = seat.view.valid;
    if (seat.view.fold(update)) {
      seat.resyncs = 0;
    } else if (before || update.snapshot) {
      this.count.mismatches++;
      if (++seat.resyncs > 3) throw new Error(`match ${seat.opened.matchId}: snapshots do not have their state hash`);
      this.outbox.resync.push(seat.channel);
      this.schedule();
    }
  }

  /** Answers what is asked, once; an answer that has no verdict yet is repeated when it is asked for again. */
  private answer(seat: Seat): void {
    const { decision, view, opened, channel } = seat;
    if (!decision || !view.valid) return;
    if (seat.answer?.decisionId !== decision.id) {
      const choice = this.settings.decide(decision, opened, view);
      seat.answer = { channel, decisionId: decision.id, choice, moveId: randomBytes(8) };
    }
    seat.answer.channel = channel;
    seat.decision = undefined;
    this.outbox.answers.push(seat.answer);
    this.schedule();
  }

  private judge(seat: Seat, verdict: Verdict): void {
    if (seat.answer?.decisionId !== verdict.decisionId) return;
    seat.answer = undefined;
    if (verdict.status === ACCEPTED) this.count.decisions++;
    else if (verdict.status === ILLEGAL) this.count.illegal++;
  }

  /** Sends what is due when everything that has arrived by now is taken. */
  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      this.flush();
    });
  }

  private flush(): void {
    const { ready, resync, answers } = this.outbox;
    while (this.stream && !this.blocked && ready.length + resync.length + answers.length) {
      const batch = { ready: ready.splice(0), resync: resync.splice(0), answers: answers.splice(0, this.maxAnswers) };
      this.blocked = !this.stream.write(batch);
    }
  }
}

import { connect, createServer, type Socket } from 'node:net';

/** A proxy for a local server that can cut connections. */
export interface LossyProxy {
  readonly port: number;
  /**
   * Forwards the next request that contains the text, but cuts the connection before the response. The request is
   * carried out, but the client does not know this.
   */
  readonly loseAnswerTo: (text: string) => void;
  /**
   * Cuts the connection before forwarding the next request that contains the text, so that the request is not carried
   * out.
   */
  readonly loseRequest: (text: string) => void;
  /** Cuts all connections. `isOpen` decides whether the proxy accepts new connections afterwards. */
  readonly cut: (isOpen: boolean) => void;
  readonly stop: () => Promise<void>;
}

export async function lossyProxy(target: number): Promise<LossyProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let answer: string | undefined;
  let request: string | undefined;
  let isOpen = true;
  const end = (pair: readonly [Socket, Socket]) => {
    pairs.delete(pair);
    for (const socket of pair) socket.destroy();
  };
  const server = createServer((client) => {
    if (!isOpen) return void client.destroy();
    const upstream = connect(target, '127.0.0.1');
    const pair = [client, upstream] as const;
    let isLosing = false;
    pairs.add(pair);
    for (const socket of pair) socket.on('error', () => end(pair)).on('close', () => end(pair));
    client.on('data', (chunk: Buffer) => {
      if (request !== undefined && chunk.includes(request)) {
        request = undefined;
        return end(pair);
      }
      if (answer !== undefined && chunk.includes(answer)) {
        answer = undefined;
        isLosing = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk: Buffer) => (isLosing ? end(pair) : client.write(chunk)));
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    loseAnswerTo: (text) => {
      answer = text;
    },
    loseRequest: (text) => {
      request = text;
    },
    cut(open) {
      isOpen = open;
      for (const pair of [...pairs]) end(pair);
    },
    async stop() {
      for (const pair of [...pairs]) end(pair);
      await new Promise((settle) => server.close(settle));
    },
  };
}

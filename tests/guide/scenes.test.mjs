// Pictures that move show the engine's own numbers: each part is a row of a reply, what a moment holds, or what the allocator's replay
// says; each chapter has one, in every language, and its sentences are whole.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { root } from '../architecture/sources.mjs';
import { load } from '../../web/scripts/guide/asking.mjs';
import { rendered } from '../../web/scripts/guide/markdown.mjs';
import { chapters, figuresOf, languages, markdown, words } from '../../web/scripts/guide/sources.mjs';
import { read } from '../../web/src/embed/figure.mjs';
import { amount, figureOf, framesOf, fullestOf, kinds, laneKey, sentence, stillsOf } from '../../web/src/guide/scenes/scene.mjs';
import { barsOf } from '../../web/src/guide/scenes/bars.mjs';
import { largest, placesOf, plain, sizes } from '../../web/src/guide/scenes/stage.mjs';
import { chartsIn, scenesIn } from './text.mjs';

const estimate = await load();
const all = chapters().flatMap((page) => figuresOf(page).scenes.map((name) => ({ page, name })));

const framed = ({ page, name }, language = 'en') => {
  const { scene, caption } = figuresOf(page).scene(name, language);
  const replies = scene.requests.map(estimate);
  return { scene, caption, replies, frames: framesOf(scene, replies) };
};

const partsOf = ({ lanes }) => lanes.flatMap(({ stacks }) => stacks.flat());
const sum = (parts) => parts.reduce((total, part) => total + part.amount, 0);
const near = (one, other, what) => assert.ok(Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other)), `${what}: ${one}, ${other}`);

for (const page of chapters())
  test(`${page}: every language shows each of its scenes, once`, () => {
    const { scenes } = figuresOf(page);
    assert.ok(scenes.length >= 1);
    for (const language of languages()) assert.deepEqual(scenesIn(markdown(language, page)).sort(), [...scenes].sort(), language);
  });

for (const one of all)
  test(`${one.page}/${one.name}: it moves, keeps its lanes, and its sentences are whole in every language`, () => {
    const { frames } = framed(one);
    assert.ok(frames.length >= 4, `${frames.length} frames`);
    const shape = (frame) => frame.lanes.map(({ id, columns, stacks }) => [id, Boolean(columns), stacks.map((parts) => parts.map(({ row }) => row))]);
    for (const frame of frames) {
      assert.deepEqual(shape(frame), shape(frames[0]));
      for (const part of partsOf(frame)) assert.ok(Number.isFinite(part.amount) && part.amount >= 0, part.row);
    }
    assert.ok(new Set(frames.map((frame) => JSON.stringify(partsOf(frame)))).size >= 4, 'frames differ');
    for (const language of languages()) {
      const texts = words(language);
      const { frames: own, caption } = framed(one, language);
      assert.ok(caption);
      for (const frame of own) {
        assert.ok(texts[frame.say.key], frame.say.key);
        assert.doesNotMatch(sentence(frame, texts, language), /[{}]|undefined/);
        for (const lane of frame.lanes) assert.ok(texts[laneKey(lane.id, texts)], `${language}: ${lane.id}`);
      }
    }
  });

for (const one of all)
  test(`${one.page}/${one.name}: what is written above a lane is what its parts come to`, () => {
    for (const { lanes } of framed(one).frames)
      for (const { id, stacks, bytes, tokens } of lanes) {
        assert.ok((bytes === undefined) !== (tokens === undefined), id);
        if (bytes !== undefined && id !== 'peak' && id !== 'left') near(sum(stacks.flat()), bytes, id);
        if (bytes !== undefined && (id === 'peak' || id === 'left')) near(stacks[0][0].amount, bytes, id);
      }
  });

const ofKind = (kind) => {
  const found = all.map((one) => ({ ...one, ...framed(one) })).filter(({ scene }) => scene.kind === kind);
  assert.ok(found.length > 0, `a scene of kind ${kind}`);
  return found;
};

test('each kind of scene has one', () => {
  for (const kind of Object.keys(kinds)) ofKind(kind);
  assert.throws(() => framesOf({ kind: 'none', requests: [] }, []), /no kind/);
  assert.throws(() => framesOf({ kind: 'sum', requests: [] }, [{ error: { where: 'model', what: 'unknown' } }]), /model: unknown/);
});

test('parts that name a row are that row of the reply', () => {
  for (const kind of ['settings', 'appear', 'sum', 'moments'])
    for (const { frames, replies, page } of ofKind(kind))
      for (const [at, frame] of frames.entries()) {
        const named = partsOf(frame).filter(({ of }) => of);
        assert.ok(named.length > 0);
        for (const { of, amount: shown } of named) {
          const reply = replies[at] ?? replies[0];
          const there = (() => {
            try {
              return read(reply, of);
            } catch {
              return 0;
            }
          })();
          // what has not appeared yet takes nothing
          assert.ok(shown === there || (kind === 'appear' && shown === 0), `${page}: ${of}`);
        }
        if (kind === 'settings') assert.ok(named.some(({ amount: shown }) => shown > 0));
      }
});

test('a moment of a step shows all that the engine says is held then', () => {
  for (const { frames, replies } of ofKind('moments')) {
    assert.equal(frames.length, replies[0].step.moments.length);
    for (const [at, { bytes }] of replies[0].step.moments.entries())
      near(sum(partsOf({ lanes: frames[at].lanes.filter(({ id }) => id !== 'stays') })), bytes, `moment ${at}`);
  }
});

test('columns of layers come to the tensors of the layers, and those that are kept are there from the first layer on', () => {
  for (const { frames, replies, scene } of ofKind('layers')) {
    const { tensors, moments } = replies[0].step;
    const shown = moments.filter(
      ({ phase, layer, work }) => (layer !== undefined || work === 'loss') && (!scene.phases || scene.phases.includes(phase)),
    );
    assert.equal(frames.length, shown.length);
    for (const [at, moment] of shown.entries()) {
      if (moment.layer === undefined) continue;
      const held = moment.holds.filter(({ tensors: index }) => tensors[index].row === 'activations' && scene.rows.includes(tensors[index].group));
      near(
        sum(partsOf(frames[at])),
        held.reduce((total, { tensors: index, count }) => total + tensors[index].bytes * count, 0),
        `moment ${at}`,
      );
    }
  }
});

test('gathered layers are what the step holds of gathered units', () => {
  for (const { frames, replies } of ofKind('gather')) {
    const { step, rows } = replies[0];
    const layered = step.moments.filter(({ layer }) => layer !== undefined);
    const weights = rows.find(({ id }) => id === 'weights');
    const shards = weights.rows.filter(({ id }) => !['embedding', 'head'].includes(id)).reduce((total, { bytes }) => total + bytes, 0);
    for (const [at, frame] of frames.entries()) {
      near(sum(partsOf(frame).filter(({ row }) => row === 'weights')), shards, 'shards');
      const gathered = layered[at].holds
        .filter(({ tensors }) => ['gathered_units', 'all_gather_output'].includes(step.tensors[tensors].group))
        .reduce((total, { tensors, count }) => total + step.tensors[tensors].bytes * count, 0);
      near(sum(partsOf(frame).filter(({ row }) => ['gathered_units', 'all_gather_output'].includes(row))), gathered, `moment ${at}`);
    }
    assert.ok(frames.some((frame) => partsOf(frame).some(({ row, amount: shown }) => row === 'all_gather_output' && shown > 0)));
  }
});

test('pages handed out and free ones are the capacity that the engine gives, and the last sequence waits', () => {
  for (const { frames, replies, scene } of ofKind('pages')) {
    const { capacity, symbols } = replies[0];
    const total = Math.floor(capacity.kv_tokens / symbols.page_tokens.value);
    for (const frame of frames) assert.equal(sum(partsOf(frame)), total);
    assert.equal(frames.at(-1).say.key, 'scene.pages.waits');
    const whole = partsOf(frames.at(-1)).filter(
      ({ row, amount: pages }) => row !== 'free' && pages === Math.ceil(scene.requests[0].inference.context / 16),
    );
    assert.equal(whole.length, Math.floor(capacity.sequences));
  }
});

test('a window slides: what is seen stays as long as the window, and ends at the last token', () => {
  for (const { frames, replies } of ofKind('window')) {
    for (const [at, { lanes }] of frames.entries()) {
      const [hidden, seen] = lanes[0].stacks[0];
      assert.equal(hidden.amount + seen.amount, replies[at].request?.inference.context ?? lanes[1].tokens);
      assert.ok(seen.amount <= replies[at].symbols.sliding_window.value);
    }
    assert.ok(frames.at(-1).lanes[0].stacks[0][0].amount > frames.at(-2).lanes[0].stacks[0][0].amount);
  }
});

test('segments and their blocks are what the engine reserves and allocates, and each block lies within one', () => {
  for (const { frames, replies } of ofKind('segments')) {
    const { first_step: run } = replies.at(-1).allocator;
    const grown = run.filter(({ reserved }, at) => at > 0 && reserved > run[at - 1].reserved);
    const told = [
      ...replies.map(({ allocator: { first_step: first } }) => first[0]),
      ...grown.map((phase) => ({ ...phase, allocated: phase.peak })),
      run.at(-1),
    ];
    assert.equal(frames.length, told.length);
    const matrix = replies[1].rows[0].bytes - replies[0].rows[0].bytes;
    for (const [at, { lanes }] of frames.entries()) {
      const [{ stacks, bytes }] = lanes;
      const [, ...large] = stacks.map((parts) => parts.filter(({ amount: shown }) => shown > 0));
      const there = large.filter((parts) => parts.length > 0);
      assert.equal(bytes, told[at].reserved);
      assert.equal(sum(stacks.flat().filter(({ row }) => row !== 'slack')), told[at].allocated);
      assert.equal(new Set(there.map(sum)).size, 1, 'segments are of one size');
      for (const parts of there) for (const { row, amount: shown } of parts) assert.ok(row === 'slack' || shown === matrix, row);
      for (const row of ['weights', 'gradients']) {
        const { by_phase: by } = (replies[at] ?? replies.at(-1)).rows.find(({ id }) => id === row);
        assert.equal(sum(there.flat().filter((part) => part.row === row)), by[told[at].phase], row);
      }
    }
    const keys = frames.map(({ say }) => say.key.split('.').at(-1));
    assert.deepEqual([...new Set(keys)], ['taken', 'cut', 'freed']);
    // what is left of a segment is too small for one block more
    for (const parts of frames.at(-2).lanes[0].stacks.slice(1)) assert.ok(parts.at(-1).amount < matrix);
  }
});

test('the allocator’s scenes are its replay', () => {
  for (const kind of ['allocator', 'readings'])
    for (const { frames, replies } of ofKind(kind)) {
      const { first_step: first, later_steps: later } = replies[0].allocator;
      const run = [...first, ...later.filter(({ phase }) => phase !== 'load')];
      assert.equal(frames.length, run.length);
      for (const [at, { allocated, reserved }] of run.entries()) {
        const lane = (id) => frames[at].lanes.find((one) => one.id === id);
        if (kind === 'allocator') {
          assert.equal(lane('left').bytes, allocated);
          assert.equal(sum(lane('left').stacks[0]), reserved);
          assert.equal(sum(lane('peak').stacks[0]), reserved);
        } else {
          assert.equal(lane('memory_allocated').bytes, allocated);
          assert.equal(lane('memory_reserved').bytes, reserved);
          assert.ok(lane('nvidia-smi').bytes > reserved && lane('max_memory_allocated').bytes >= allocated);
        }
      }
    }
});

test('bars of pictures are rows of the replies, and the build draws them as the page lays them', () => {
  let bars = 0;
  for (const page of chapters().filter((one) => figuresOf(one).picture.kind === 'bars')) {
    const context = { language: 'en', page, words: words('en'), whole: false, figures: figuresOf(page), estimate };
    const html = rendered('{{! picture}}\n', context);
    const asked = JSON.parse(/data-picture="([^"]*)"/.exec(html)[1].replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    const replies = asked.requests.map((one) => ({ ...estimate(one), request: one }));
    const lanes = barsOf(asked, replies);
    const most = largest([{ lanes }]);
    const drawn = [...html.matchAll(/<rect class="part[^>]* x="([^"]*)" y="0" width="([^"]*)"/g)].map(([, x, width]) => `${x} ${width}`);
    const laid = lanes.flatMap((lane) => placesOf(lane, most)).map(({ x, width }) => `${plain(x)} ${plain(width)}`);
    assert.deepEqual(drawn, laid, page);
    for (const [at, lane] of lanes.entries())
      for (const { of, amount: shown } of lane.stacks[0]) {
        bars += 1;
        if (shown > 0) assert.equal(shown, read(replies[at], of), of);
      }
  }
  assert.ok(bars > 50, `${bars} parts`);
});

test('bits of types are as many as the encodings of presets say', () => {
  const drawn = chapters().flatMap((page) => (figuresOf(page).picture.kind === 'bits' ? figuresOf(page).picture.bars : []));
  assert.ok(drawn.length >= 8);
  for (const { en, bits } of drawn) {
    const encoding = JSON.parse(readFileSync(`${root}/presets/encodings/${en.split(' ')[0]}.json`, 'utf8'));
    assert.equal(
      bits.reduce((all, count) => all + count, 0),
      encoding.bits,
      en,
    );
  }
});

test('every language shows each chart, once, of a request that the engine answers', () => {
  const charted = chapters().flatMap((page) => figuresOf(page).charts.map((name) => ({ page, name })));
  assert.ok(charted.length >= 3);
  for (const { page, name } of charted) {
    const { kind, request, caption, points } = figuresOf(page).chart(name);
    assert.equal(kind, 'curve');
    assert.ok(estimate(request).total.bytes > 0 && points.length >= 3);
    for (const language of languages()) {
      assert.deepEqual(chartsIn(markdown(language, page)), figuresOf(page).charts, `${language}/${page}`);
      assert.ok(caption[language]);
    }
  }
});

test('stills are few, begin with the first frame and end with the last, and the build draws them', () => {
  assert.deepEqual(stillsOf(3), [0, 1, 2]);
  assert.deepEqual(stillsOf(41), [0, 8, 16, 24, 32, 40]);
  const context = { language: 'zh-CN', page: 'autograd', words: words('zh-CN'), whole: false, figures: figuresOf('autograd'), estimate };
  const html = rendered('{{> step}}\n', context);
  const { frames } = framed({ page: 'autograd', name: 'step' }, 'zh-CN');
  const said = [...html.matchAll(/<li data-frame="(\d+)"><p data-say>([^<]*)</g)];
  assert.deepEqual(
    said.map(([, at]) => Number(at)),
    stillsOf(frames.length),
  );
  for (const [, at, text] of said) assert.equal(text, sentence(frames[at], words('zh-CN'), 'zh-CN'));
  assert.match(html, /<button type="button" data-do="play" data-play="播放" data-pause="暂停">播放/);
  assert.match(html, new RegExp(`data-at="${fullestOf(frames)}"`));
});

test('parts lie side by side, and columns stand on the ground', () => {
  const part = (amountOf) => ({ row: 'weights', amount: amountOf });
  const frame = {
    say: { key: '', values: {} },
    lanes: [
      { id: 'a', stacks: [[part(3), part(1)]] },
      { id: 'b', columns: true, stacks: [[part(2)], [part(1)]] },
    ],
  };
  const most = largest([frame]);
  assert.deepEqual(most, { lying: 4, standing: 2 });
  const [first, second] = placesOf(frame.lanes[0], most);
  assert.deepEqual([first.x, first.width, second.x, second.width], [0, 750, 750, 250]);
  for (const { y, height } of placesOf(frame.lanes[1], most)) assert.equal(y + height, sizes.standing.height);
  assert.equal(amount(3 * 2 ** 20, 'en'), '3 MiB');
  assert.equal(figureOf({ tokens: 4096 }, { 'scene.tokens': '{count} tokens' }, 'en'), '4,096 tokens');
});

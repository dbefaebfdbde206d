// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

// Code-override probes. Never deployed: their runtime bytecode stands at throw-away addresses inside one eth_call or
// eth_simulateV1. No constructor, no immutables, no storage. Every call into foreign code has a gas bound and a bound
// on the bytes copied back, so that a contract that burns gas or returns megabytes only harms its own leg.

interface IPairV2 {
    function getReserves() external view returns (uint112, uint112, uint32);
    function swap(uint256, uint256, address, bytes calldata) external;
}
interface IPoolV3 {
    function swap(address, bool, int256, uint160, bytes calldata) external returns (int256, int256);
}
struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }
struct SwapV4 { bool zeroForOne; int256 amountSpecified; uint160 sqrtPriceLimitX96; }
interface IManagerV4 {
    function unlock(bytes calldata) external returns (bytes memory);
    function swap(Key memory, SwapV4 memory, bytes calldata) external returns (int256);
    function sync(address) external;
    function settle() external payable returns (uint256);
    function take(address, address, uint256) external;
}

/// venue 2: V2-style pair (target is the pair, feeBps its fee), 3: V3-style pool, 4: V4 manager (key names the pool).
struct Route { uint256 venue; address target; uint256 feeBps; Key key; }

library Foreign {
    uint256 internal constant KEEP = 256;

    /// At most KEEP bytes come back, whatever the callee returns.
    function send(address to, uint256 limit, uint256 value, bytes memory data) internal returns (bool ok, bytes memory ret) {
        assembly {
            ok := call(limit, to, value, add(data, 32), mload(data), 0, 0)
            let size := returndatasize()
            if gt(size, KEEP) { size := KEEP }
            ret := mload(0x40)
            mstore(ret, size)
            returndatacopy(add(ret, 32), 0, size)
            mstore(0x40, add(ret, 320))
        }
    }

    /// The balance of the native currency when `token` is zero. An unreadable balance is zero.
    function balance(address token, address holder) internal returns (uint256 amount) {
        if (token == address(0)) return holder.balance;
        (bool ok, bytes memory ret) = send(token, 1_000_000, 0, abi.encodeWithSelector(0x70a08231, holder));
        if (ok && ret.length >= 32) amount = abi.decode(ret, (uint256));
    }

    /// Success as careful callers understand it: no revert, and either no return data or the word 1.
    function said(bool ok, bytes memory ret) internal pure returns (bool) {
        return ok && (ret.length == 0 || (ret.length >= 32 && abi.decode(ret, (uint256)) == 1));
    }

    function gained(address token, address holder, uint256 before) internal returns (uint256) {
        uint256 now_ = balance(token, holder);
        return now_ > before ? now_ - before : 0;
    }

    function bubble(bytes memory ret) internal pure {
        assembly { revert(add(ret, 32), mload(ret)) }
    }
}

/// The router that a trader has approved: pulls with transferFrom exactly as real routers do, then talks to the pool.
contract Router {
    uint160 private constant LOW = 4295128740;
    uint160 private constant HIGH = 1461446703485210103287273052203988822378723970341;
    uint256 private constant LIMIT = 12_000_000;

    receive() external payable {}

    /// arrived: what the pool really received; out: what the pool says it paid.
    function swap(Route calldata r, address tin, address tout, uint256 amount) public payable returns (uint256 arrived, uint256 out) {
        if (r.venue == 2) return _v2(r, tin, tout, amount);
        if (r.venue == 3) return _v3(r, tin, tout, amount);
        bytes memory ret = IManagerV4(r.target).unlock(abi.encode(r, tin, tout, amount, msg.sender));
        return abi.decode(ret, (uint256, uint256));
    }

    /// Sells `bps` of what the caller holds: for plain wallets, whose amounts are not known beforehand.
    function swapShare(Route calldata r, address tin, address tout, uint256 bps)
        external returns (uint256 sent, uint256 arrived, uint256 out, uint256 received)
    {
        sent = Foreign.balance(tin, msg.sender) * bps / 10_000;
        require(sent > 0, "PROBE: nothing held");
        uint256 before = Foreign.balance(tout, msg.sender);
        (arrived, out) = swap(r, tin, tout, sent);
        received = Foreign.gained(tout, msg.sender, before);
    }

    /// A buy that also reports what arrived at the caller.
    function buy(Route calldata r, address tin, address tout, uint256 amount)
        external payable returns (uint256 sent, uint256 arrived, uint256 out, uint256 received)
    {
        uint256 before = Foreign.balance(tout, msg.sender);
        sent = amount;
        (arrived, out) = swap(r, tin, tout, amount);
        received = Foreign.gained(tout, msg.sender, before);
    }

    /// No pool: the pull alone.
    function pull(address token, address to, uint256 amount) external returns (uint256) {
        return _pull(token, msg.sender, to, amount);
    }

    function _pull(address t, address from, address to, uint256 amount) private returns (uint256 got) {
        uint256 before = Foreign.balance(t, to);
        (bool ok, bytes memory ret) = Foreign.send(t, LIMIT, 0, abi.encodeWithSelector(0x23b872dd, from, to, amount));
        if (!ok) Foreign.bubble(ret);
        require(Foreign.said(ok, ret), "PROBE: returned false");
        got = Foreign.gained(t, to, before);
        require(got > 0, "PROBE: nothing arrived");
    }

    function _v2(Route calldata r, address tin, address tout, uint256 amount) private returns (uint256 arrived, uint256 out) {
        arrived = _pull(tin, msg.sender, r.target, amount);
        (uint112 r0, uint112 r1, ) = IPairV2(r.target).getReserves();
        bool zeroForOne = tin < tout;
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (uint256(r0), uint256(r1)) : (uint256(r1), uint256(r0));
        uint256 x = arrived * (10_000 - r.feeBps);
        out = x * reserveOut / (reserveIn * 10_000 + x);
        // A millionth less than the most: tokens that round by a unit or two would miss the pool's exact bound.
        out -= out / 1_000_000 + 2;
        IPairV2(r.target).swap(zeroForOne ? 0 : out, zeroForOne ? out : 0, msg.sender, "");
    }

    function _v3(Route calldata r, address tin, address tout, uint256 amount) private returns (uint256 arrived, uint256 out) {
        bool zeroForOne = tin < tout;
        (int256 a0, int256 a1) =
            IPoolV3(r.target).swap(msg.sender, zeroForOne, int256(amount), zeroForOne ? LOW : HIGH, abi.encode(tin, msg.sender));
        arrived = uint256(zeroForOne ? a0 : a1);
        out = uint256(-(zeroForOne ? a1 : a0));
    }

    function uniswapV3SwapCallback(int256 d0, int256 d1, bytes calldata data) external {
        (address tin, address payer) = abi.decode(data, (address, address));
        _pull(tin, payer, msg.sender, uint256(d0 > 0 ? d0 : d1));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (Route memory r, address tin, address tout, uint256 amount, address payer) =
            abi.decode(data, (Route, address, address, uint256, address));
        IManagerV4 m = IManagerV4(r.target);
        uint256 arrived = amount;
        if (tin == address(0)) {
            m.settle{value: amount}();
        } else {
            m.sync(tin);
            arrived = _pull(tin, payer, r.target, amount);
            m.settle();
        }
        bool zeroForOne = tin == r.key.currency0;
        int256 delta = m.swap(r.key, SwapV4(zeroForOne, -int256(arrived), zeroForOne ? LOW : HIGH), "");
        int256 gain = zeroForOne ? int256(int128(delta)) : delta >> 128;
        int256 used = -(zeroForOne ? delta >> 128 : int256(int128(delta)));
        m.take(tout, payer, uint256(gain));
        if (uint256(used) < arrived) m.take(tin, payer, arrived - uint256(used));
        return abi.encode(arrived, uint256(gain));
    }
}

struct Leg { bool ok; uint256 sent; uint256 arrived; uint256 poolOut; uint256 received; uint256 used; bytes err; }
struct Plan { address router; Route route; address token; address quote; uint256 spend; address peer; }

/// The trader, when it may be a contract: one eth_call is a buy, a wallet transfer and sells until nothing is left.
contract Trader {
    uint256 private constant LIMIT = 12_000_000;
    uint256 private constant ENOUGH = 10_000_000;

    receive() external payable {}

    /// buy, move, sell half, sell half of the rest, sell the rest, and (only when that failed) half of it.
    /// Without `spend` there is no buy: the balance was given by a state override. Stops after a leg that burned too much.
    function run(Plan calldata p) external returns (Leg[6] memory legs) {
        if (p.spend > 0) {
            legs[0] = _swap(p, p.quote, p.token, p.spend);
            if (legs[0].used > ENOUGH) return legs;
        }
        legs[1] = _move(p.token, p.peer, Foreign.balance(p.token, address(this)) / 4);
        if (legs[1].used > ENOUGH) return legs;
        for (uint256 i = 2; i < 6; ++i) {
            uint256 held = Foreign.balance(p.token, address(this));
            legs[i] = _swap(p, p.token, p.quote, i == 4 ? held : held / 2);
            if (legs[i].used > ENOUGH || (i == 4 && legs[i].ok)) return legs;
        }
    }

    /// No pool: a transfer and a pull by an approved router.
    function moveOnly(address token, address router, address peer, uint256 amount) external returns (Leg memory moved, Leg memory pulled) {
        moved = _move(token, peer, amount / 2);
        if (moved.used > ENOUGH) return (moved, pulled);
        pulled.sent = amount / 4;
        _approve(token, router, pulled.sent);
        uint256 start = gasleft();
        (bool ok, bytes memory ret) =
            Foreign.send(router, LIMIT, 0, abi.encodeCall(Router.pull, (token, peer, pulled.sent)));
        pulled.used = start - gasleft();
        pulled.ok = ok;
        if (ok) pulled.received = abi.decode(ret, (uint256));
        else pulled.err = ret;
    }

    function _approve(address token, address spender, uint256 amount) private {
        Foreign.send(token, 1_000_000, 0, abi.encodeWithSelector(0x095ea7b3, spender, amount));
    }

    function _move(address token, address to, uint256 amount) private returns (Leg memory leg) {
        leg.sent = amount;
        uint256 before = Foreign.balance(token, to);
        uint256 start = gasleft();
        (bool ok, bytes memory ret) = Foreign.send(token, LIMIT, 0, abi.encodeWithSelector(0xa9059cbb, to, amount));
        leg.used = start - gasleft();
        leg.ok = Foreign.said(ok, ret);
        if (!leg.ok) { leg.err = ok ? bytes("PROBE: returned false") : ret; return leg; }
        leg.received = leg.arrived = Foreign.gained(token, to, before);
        if (leg.received == 0 && amount > 0) { leg.ok = false; leg.err = "PROBE: nothing arrived"; }
    }

    function _swap(Plan calldata p, address tin, address tout, uint256 amount) private returns (Leg memory leg) {
        leg.sent = amount;
        if (amount == 0) { leg.err = "PROBE: nothing held"; return leg; }
        if (tin != address(0)) _approve(tin, p.router, amount);
        uint256 before = Foreign.balance(tout, address(this));
        uint256 start = gasleft();
        (bool ok, bytes memory ret) = Foreign.send(
            p.router, LIMIT, tin == address(0) ? amount : 0, abi.encodeCall(Router.swap, (p.route, tin, tout, amount)));
        leg.used = start - gasleft();
        leg.ok = ok;
        if (!ok) { leg.err = ret; if (tin != address(0)) _approve(tin, p.router, 0); return leg; }
        (leg.arrived, leg.poolOut) = abi.decode(ret, (uint256, uint256));
        leg.received = Foreign.gained(tout, address(this), before);
    }
}

/// Stands at an address that must be msg.sender inside one eth_call: an authority, a holder, a stranger.
contract Actor {
    receive() external payable {}

    function act(address to, uint256 limit, bytes calldata data) external returns (bool ok, bytes memory ret) {
        return Foreign.send(to, limit, 0, data);
    }
}

struct Step { address actor; address to; uint256 limit; bytes data; }
struct Out { bool ok; uint256 used; bytes ret; }
struct Seen { bool ok; uint256 size; uint256 word; }

/// Runs steps in order inside one eth_call and reports each.
contract Conductor {
    function run(Step[] calldata steps) external returns (Out[] memory outs) {
        outs = new Out[](steps.length);
        for (uint256 i; i < steps.length; ++i) {
            uint256 start = gasleft();
            (outs[i].ok, outs[i].ret) = _step(steps[i]);
            outs[i].used = start - gasleft();
        }
    }

    /// Every attempt starts from the same state, because its frame is always undone. An attempt that reverts gives
    /// nothing; one that succeeds gives what the observations after it saw; one for which no gas is left gives one byte.
    function experiment(Step[] calldata first, Step[] calldata attempts, Step[] calldata observations, uint256 gasEach)
        external returns (bytes[] memory seen)
    {
        seen = new bytes[](attempts.length);
        for (uint256 i; i < attempts.length; ++i) {
            if (gasleft() < gasEach + gasEach / 32 + 200_000) { seen[i] = hex"01"; continue; }
            (, seen[i]) = address(this).call{gas: gasEach}(abi.encodeCall(Conductor.frame, (first, attempts[i], observations)));
        }
    }

    function frame(Step[] calldata first, Step calldata attempt, Step[] calldata observations) external {
        for (uint256 i; i < first.length; ++i) _step(first[i]);
        if (attempt.to != address(0)) {
            (bool done, ) = _step(attempt);
            if (!done) Foreign.bubble("");
        }
        Seen[] memory seen = new Seen[](observations.length);
        for (uint256 i; i < observations.length; ++i) {
            (bool ok, bytes memory ret) = _step(observations[i]);
            seen[i] = Seen(ok, ret.length, ret.length >= 32 ? abi.decode(ret, (uint256)) : 0);
        }
        Foreign.bubble(abi.encode(seen));
    }

    function _step(Step calldata s) private returns (bool ok, bytes memory ret) {
        if (s.actor == address(0)) return Foreign.send(s.to, s.limit, 0, s.data);
        return Actor(payable(s.actor)).act{gas: s.limit + 200_000}(s.to, s.limit, s.data);
    }
}

/// Asks a pool what a trade would cost without paying for it: the pool's own callback undoes everything.
contract Quoter {
    uint160 private constant LOW = 4295128740;
    uint160 private constant HIGH = 1461446703485210103287273052203988822378723970341;

    /// What goes in and what comes out. `exactIn`: `amount` goes in; else `amount` comes out.
    function quote(Route calldata r, bool zeroForOne, uint256 amount, bool exactIn) external returns (uint256 sent, uint256 got) {
        if (r.venue == 2) return _v2(r, zeroForOne, amount, exactIn);
        bytes memory data = r.venue == 3
            ? abi.encodeCall(IPoolV3.swap, (address(this), zeroForOne, exactIn ? int256(amount) : -int256(amount), zeroForOne ? LOW : HIGH, ""))
            : abi.encodeCall(IManagerV4.unlock, (abi.encode(r, zeroForOne, amount, exactIn)));
        (bool ok, bytes memory ret) = Foreign.send(r.target, 12_000_000, 0, data);
        require(!ok && ret.length == 96 && bytes32(ret) == MARK, "PROBE: no quote");
        assembly { sent := mload(add(ret, 64)) got := mload(add(ret, 96)) }
        require(exactIn ? sent == amount : got == amount, "PROBE: not enough liquidity");
    }

    bytes32 private constant MARK = keccak256("countersign.quote");

    function _v2(Route calldata r, bool zeroForOne, uint256 amount, bool exactIn) private view returns (uint256 sent, uint256 got) {
        (uint112 r0, uint112 r1, ) = IPairV2(r.target).getReserves();
        (uint256 reserveIn, uint256 reserveOut) = zeroForOne ? (uint256(r0), uint256(r1)) : (uint256(r1), uint256(r0));
        uint256 keep = 10_000 - r.feeBps;
        if (exactIn) return (amount, amount * keep * reserveOut / (reserveIn * 10_000 + amount * keep));
        require(amount < reserveOut, "PROBE: not enough liquidity");
        return (amount * reserveIn * 10_000 / ((reserveOut - amount) * keep) + 1, amount);
    }

    function uniswapV3SwapCallback(int256 d0, int256 d1, bytes calldata) external pure {
        _tell(uint256(d0 > 0 ? d0 : d1), uint256(-(d0 > 0 ? d1 : d0)));
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (Route memory r, bool zeroForOne, uint256 amount, bool exactIn) = abi.decode(data, (Route, bool, uint256, bool));
        int256 delta = IManagerV4(r.target).swap(
            r.key, SwapV4(zeroForOne, exactIn ? -int256(amount) : int256(amount), zeroForOne ? LOW : HIGH), "");
        (int256 d0, int256 d1) = (delta >> 128, int256(int128(delta)));
        (int256 paid, int256 gained) = zeroForOne ? (d0, d1) : (d1, d0);
        _tell(uint256(-paid), uint256(gained));
    }

    function _tell(uint256 sent, uint256 got) private pure {
        bytes memory ret = abi.encode(MARK, sent, got);
        assembly { revert(add(ret, 32), mload(ret)) }
    }
}

/// Stands at the contract that is being read: calldata is a list of storage slots, the answer their values.
contract SlotReader {
    fallback() external {
        assembly {
            for { let i := 0 } lt(i, calldatasize()) { i := add(i, 32) } { mstore(i, sload(calldataload(i))) }
            return(0, calldatasize())
        }
    }
}

/// Answers for each address in calldata the size of its code.
contract CodeSizer {
    fallback() external {
        assembly {
            for { let i := 0 } lt(i, calldatasize()) { i := add(i, 32) } { mstore(i, extcodesize(calldataload(i))) }
            return(0, calldatasize())
        }
    }
}

/// Answers for each address in calldata the hash of its code.
contract CodeHasher {
    fallback() external {
        assembly {
            for { let i := 0 } lt(i, calldatasize()) { i := add(i, 32) } { mstore(i, extcodehash(calldataload(i))) }
            return(0, calldatasize())
        }
    }
}

/// A recipient that shows whether it was called: the only thing it does is emit an empty log.
contract Listener {
    fallback() external payable {
        assembly { log0(0, 0) }
    }
}

